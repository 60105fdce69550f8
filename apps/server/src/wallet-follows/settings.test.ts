import { describe, expect, it } from 'vitest';
import { chooseSettings, DEFAULT_SETTINGS, printSettings, rulesOf } from './settings.ts';

const SOL = 1_000_000_000n;
const choose = (chosen: Parameters<typeof chooseSettings>[1], before = DEFAULT_SETTINGS) =>
  chooseSettings(before, chosen);
const refused = (field: string) => expect.objectContaining({ context: { field, reason: 'range' } });

describe('the settings of a wallet follow', () => {
  it('are rules as they were chosen, at the bounds of every share too', () => {
    const shares = { size: { kind: 'share', share: '1000' }, maxGap: '20', runUpLimit: '10', coinCap: '100' } as const;
    expect(choose(shares).size).toEqual({ kind: 'share', bps: 100_000 });
    const most = rulesOf(choose(shares));
    expect(most).toMatchObject({ size: { kind: 'share', shareBps: 100_000n }, maxGap: 2_000n });
    expect(most.protection).toMatchObject({ runUpLimit: 1_000n, coinCap: 10_000n });
    const least = { size: { kind: 'share', share: '0.01' }, maxGap: '0.5', runUpLimit: '1', coinCap: '1' } as const;
    expect(rulesOf(choose(least))).toMatchObject({
      size: { kind: 'share', shareBps: 1n },
      maxGap: 50n,
      protection: { runUpLimit: 100n, coinCap: 100n, stopLoss: null, takeProfit: null },
    });
  });

  it.each([
    ['size.share', { size: { kind: 'share', share: '1000.01' } }],
    ['size.share', { size: { kind: 'share', share: '0' } }],
    ['maxGap', { maxGap: '20.01' }],
    ['maxGap', { maxGap: '0.49' }],
    ['runUpLimit', { runUpLimit: '10.01' }],
    ['runUpLimit', { runUpLimit: '0.99' }],
    ['coinCap', { coinCap: '100.01' }],
    ['coinCap', { coinCap: '0.99' }],
  ] as const)('refuse a %s that is out of bounds', (field, chosen) => {
    expect(() => choose(chosen as never)).toThrow(refused(field));
  });

  it('keep what was not chosen, and drop a limit that was chosen away', () => {
    const limits = {
      size: { kind: 'fixed', amount: SOL },
      copies: 'buys',
      buyMin: SOL,
      buyMax: 2n * SOL,
      firstBuyOnly: true,
      excludedTokens: ['coin'],
      excludedHours: [3],
      transfersAreExits: false,
      capPerTrade: 3n * SOL,
      capPerToken: 4n * SOL,
      maxGap: '5',
      waitMinutes: 7,
      runUpLimit: '2',
      coinCap: '40',
    };
    const chosen = choose(limits as never);
    expect(choose({}, chosen)).toEqual(chosen);
    expect(rulesOf(chosen)).toEqual({
      size: { kind: 'fixed', lamports: SOL },
      copies: 'buys',
      buyMinLamports: SOL,
      buyMaxLamports: 2n * SOL,
      firstBuyOnly: true,
      excludedMints: ['coin'],
      excludedHours: [3],
      capPerTokenLamports: 4n * SOL,
      maxGap: 500n,
      protection: {
        runUpLimit: 200n,
        coinCap: 4_000n,
        capPerTradeLamports: 3n * SOL,
        stopLoss: null,
        takeProfit: null,
      },
    });
    const none = choose({ buyMin: null, buyMax: null, capPerTrade: null, capPerToken: null, coinCap: null }, chosen);
    expect(rulesOf(none)).toMatchObject({
      buyMinLamports: null,
      buyMaxLamports: null,
      capPerTokenLamports: null,
      protection: { coinCap: null, capPerTradeLamports: null },
    });
  });

  it('print as they are chosen', () => {
    expect(printSettings(choose({ size: { kind: 'share', share: '12.5' }, buyMin: SOL / 2n } as never))).toEqual({
      size: { kind: 'share', share: '12.5' },
      copies: 'both',
      buyMin: '0.5',
      buyMax: null,
      firstBuyOnly: false,
      excludedTokens: [],
      excludedHours: [],
      transfersAreExits: true,
      capPerTrade: null,
      capPerToken: null,
      maxGap: '3',
      waitMinutes: 0,
      runUpLimit: '3',
      coinCap: '50',
    });
    expect(printSettings(choose({ coinCap: null }))).toMatchObject({
      size: { kind: 'fixed', amount: '0.1' },
      coinCap: null,
    });
  });

  it('take a range of sizes in order only', () => {
    expect(choose({ buyMin: SOL, buyMax: SOL } as never)).toMatchObject({ buyMin: `${SOL}`, buyMax: `${SOL}` });
    expect(choose({ buyMax: SOL } as never)).toMatchObject({ buyMin: null, buyMax: `${SOL}` });
    expect(() => choose({ buyMin: SOL + 1n, buyMax: SOL } as never)).toThrow(refused('settings.buyMax'));
  });
});
