import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { baseUnits } from '../numbers/base-units.ts';
import { lamports } from '../numbers/lamports.ts';
import { offMarketReason, worseLamports, type JudgedFill } from './off-market.ts';
import type { Plain } from '../plain-for-test.ts';

const MINUTE_MS = 60_000;

function aFill(overrides: Partial<Plain<JudgedFill>> = {}): JudgedFill {
  return {
    side: 'buy',
    tokens: 1_000n,
    lamports: 10_000n,
    atMs: 0,
    ownTradeAtMs: null,
    reference: { numerator: 10n, denominator: 1n },
    isCopyable: true,
    ...overrides,
  } as JudgedFill;
}

describe('an off-market fill', () => {
  it('lies more than 3 % from the reference price, on either side', () => {
    expect(offMarketReason(aFill({ lamports: 10_300n }))).toBeNull();
    expect(offMarketReason(aFill({ lamports: 9_700n }))).toBeNull();
    expect(offMarketReason(aFill({ lamports: 10_301n }))).toBe('off-price');
    expect(offMarketReason(aFill({ lamports: 9_699n, side: 'sell' }))).toBe('off-price');
  });

  it('cannot be told from others without a reference price, so it counts as one', () => {
    expect(offMarketReason(aFill({ reference: null }))).toBe('no-reference-price');
  });

  it('has another book of the creator active in the coin within ten minutes before or after it', () => {
    for (const ownTradeAtMs of [-10 * MINUTE_MS, 10 * MINUTE_MS]) {
      expect(offMarketReason(aFill({ ownTradeAtMs }))).toBe('own-trade');
      expect(offMarketReason(aFill({ ownTradeAtMs, atMs: -Math.sign(ownTradeAtMs) }))).toBeNull();
    }
  });

  it('buys a coin that followers may not copy; selling one is no offence', () => {
    expect(offMarketReason(aFill({ isCopyable: false }))).toBe('not-copyable');
    expect(offMarketReason(aFill({ isCopyable: false, side: 'sell' }))).toBeNull();
  });
});

describe('the worse price of a fill', () => {
  it('is the higher one for a buy and the lower one for a sale', () => {
    const around = { numerator: 21n, denominator: 2n };
    expect(worseLamports('buy', baseUnits(1_001n), lamports(10_000n), around)).toBe(10_511n);
    expect(worseLamports('buy', baseUnits(1_000n), lamports(11_000n), around)).toBe(11_000n);
    expect(worseLamports('sell', baseUnits(1_001n), lamports(11_000n), around)).toBe(10_510n);
    expect(worseLamports('sell', baseUnits(1_000n), lamports(10_000n), around)).toBe(10_000n);
    expect(worseLamports('sell', baseUnits(1_000n), lamports(10_000n), null)).toBe(10_000n);
  });

  it('never favors the creator', () => {
    const amount = fc.bigInt({ min: 1n, max: 10n ** 15n });
    fc.assert(
      fc.property(amount, amount, amount, amount, (tokens, paid, numerator, denominator) => {
        const around = { numerator, denominator };
        expect(worseLamports('buy', baseUnits(tokens), lamports(paid), around)).toBeGreaterThanOrEqual(paid);
        expect(worseLamports('sell', baseUnits(tokens), lamports(paid), around)).toBeLessThanOrEqual(paid);
      }),
    );
  });

  it('is bounded where a trade of nothing for something made a price that nobody can pay', () => {
    const dust = { numerator: 10n ** 15n, denominator: 1n };
    expect(worseLamports('buy', baseUnits(10n ** 15n), lamports(5n), dust)).toBe(2n ** 53n);
    expect(worseLamports('buy', baseUnits(10n ** 15n), lamports(2n ** 60n), dust)).toBe(2n ** 60n);
  });

  it('is measured by the whole reference price, fractions of a lamport included', () => {
    const reference = { numerator: 20n, denominator: 2n };
    expect(offMarketReason(aFill({ reference, lamports: 10_300n }))).toBeNull();
    expect(offMarketReason(aFill({ reference, lamports: 10_301n }))).toBe('off-price');
  });
});
