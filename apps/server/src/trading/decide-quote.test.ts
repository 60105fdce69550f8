import { lamports } from '@hunter/domain/numbers/lamports';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import { describe, expect, it } from 'vitest';
import { minimumOut, refuseQuote } from './decide-quote.ts';
import { impactLevel, rentCeiling } from './order-limits.ts';

const buy = { kind: 'trade', side: 'buy', slippageBps: 100, minOut: null } as const;
const quote = { outAmount: baseUnits(1_000_000n), impactPercent: 1, networkFeeLamports: lamports(10_000n) };
const RESERVE = lamports(10_000n);

describe('a quote', () => {
  it('is taken where nothing speaks against it', () => {
    expect(refuseQuote(buy, quote, RESERVE)).toBeNull();
    expect(refuseQuote({ ...buy, side: 'sell', minOut: lamports(1_000_000n) }, quote, RESERVE)).toBeNull();
  });

  it('is refused below the minimum that the first quote fixed', () => {
    expect(refuseQuote({ ...buy, minOut: baseUnits(1_000_001n) }, quote, RESERVE)).toMatchObject({
      errorName: 'PRICE_MOVED',
    });
  });

  it('is refused where it moves the price too far, except for closing a position', () => {
    const steep = { ...quote, impactPercent: 30 };
    expect(refuseQuote(buy, steep, RESERVE)).toMatchObject({
      errorName: 'PRICE_IMPACT_TOO_HIGH',
      context: { impact: '30.0' },
    });
    expect(refuseQuote({ ...buy, kind: 'close' }, steep, RESERVE)).toBeNull();
    expect(refuseQuote(buy, { ...quote, impactPercent: 29.9 }, RESERVE)).toBeNull();
  });

  it('is refused where its network fee passes what was set aside', () => {
    expect(refuseQuote(buy, { ...quote, networkFeeLamports: lamports(10_001n) }, RESERVE)).toMatchObject({
      errorName: 'UNAVAILABLE',
    });
  });

  it('is refused where a sell would bring no more than its network fee', () => {
    const poor = { ...quote, outAmount: lamports(10_000n) };
    expect(refuseQuote({ ...buy, side: 'sell' }, poor, RESERVE)).toMatchObject({
      errorName: 'AMOUNT_TOO_SMALL',
      context: { minimum: '0.00001 SOL' },
    });
    expect(refuseQuote({ ...buy, side: 'sell' }, { ...quote, outAmount: lamports(10_001n) }, RESERVE)).toBeNull();
    expect(refuseQuote(buy, poor, RESERVE)).toBeNull();
  });

  it('fixes the least that any attempt may bring, once', () => {
    expect(minimumOut(buy, baseUnits(1_000n))).toBe(990n);
    expect(minimumOut({ ...buy, minOut: baseUnits(7n) }, baseUnits(1_000n))).toBe(7n);
  });
});

describe('the limits of an order', () => {
  it.each([
    [4.99, 'ok'],
    [5, 'warn'],
    [29.99, 'warn'],
    [30, 'refused'],
  ] as const)('take an impact of %s % as %s', (percent, level) => {
    expect(impactLevel(percent)).toBe(level);
  });

  it('set aside more for the account of a Token-2022 mint', () => {
    expect(rentCeiling(TOKEN_PROGRAM)).toBe(2_039_280n);
    expect(rentCeiling(TOKEN_2022_PROGRAM)).toBe(2_500_000n);
  });
});
