import { describe, expect, it } from 'vitest';
import { creatorWaitMs, mayFollowersBuy } from './conflict-of-interest.ts';

const NOW = 100_000_000;
const MINUTES = 60_000;

describe('a creator who trades a coin of his strategy for himself', () => {
  it('may not sell it within ten minutes after the strategy bought it', () => {
    expect(creatorWaitMs(NOW, NOW)).toBe(10 * MINUTES);
    expect(creatorWaitMs(NOW - 10 * MINUTES + 1, NOW)).toBe(1);
    expect(creatorWaitMs(NOW - 11 * MINUTES, NOW)).toBe(0);
    expect(creatorWaitMs(null, 0)).toBe(0);
  });

  it('buys alone with his strategy within ten minutes after buying it himself', () => {
    expect(mayFollowersBuy(NOW - 10 * MINUTES + 1, NOW)).toBe(false);
    expect(mayFollowersBuy(NOW - 10 * MINUTES, NOW)).toBe(true);
    expect(mayFollowersBuy(null, 0)).toBe(true);
  });
});
