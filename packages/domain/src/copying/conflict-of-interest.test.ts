import { describe, expect, it } from 'vitest';
import { creatorWaitMs, mayFollowersBuy } from './conflict-of-interest.ts';
import { lamports } from '../numbers/lamports.ts';

const NOW = 100_000_000;
const MINUTES = 60_000;

describe('a creator who trades a coin of his strategy for himself', () => {
  it('may not sell it within ten minutes after the strategy bought it', () => {
    expect(creatorWaitMs(NOW, NOW)).toBe(10 * MINUTES);
    expect(creatorWaitMs(NOW - 10 * MINUTES + 1, NOW)).toBe(1);
    expect(creatorWaitMs(NOW - 11 * MINUTES, NOW)).toBe(0);
    expect(creatorWaitMs(null, 0)).toBe(0);
  });

  it('buys alone with his strategy within an hour after buying it himself', () => {
    const bought = (boughtAtMs: number | null) => mayFollowersBuy({ boughtAtMs, nearbyLamports: lamports(0n) }, NOW);
    expect(bought(NOW - 60 * MINUTES + 1)).toBe(false);
    expect(bought(NOW - 60 * MINUTES)).toBe(true);
    expect(bought(null)).toBe(true);
  });

  it('buys alone where wallets near him bought as much as a copy has at least', () => {
    const nearby = (bought: bigint) => mayFollowersBuy({ boughtAtMs: null, nearbyLamports: lamports(bought) }, NOW);
    expect(nearby(999_999n)).toBe(true);
    expect(nearby(1_000_000n)).toBe(false);
  });
});
