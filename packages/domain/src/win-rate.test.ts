import { describe, expect, it } from 'vitest';
import { FLAT } from './position.ts';
import { printRatePercent } from './rate.ts';
import { NO_WINS, winCountAfter, winRate } from './win-rate.ts';

const trip = (realisedLamports: bigint, closedBy: 'sold' | 'moved' | null = 'sold') => ({
  closedBy,
  position: { ...FLAT, realisedLamports },
});

describe('the win rate', () => {
  it('is the share of closed round trips with a profit after fees', () => {
    const count = [trip(5n), trip(-1n), trip(0n), trip(1n, null), trip(7n, 'moved')].reduce(winCountAfter, NO_WINS);
    expect(count).toEqual({ closed: 3, won: 1 });
    expect(printRatePercent(winRate(count))).toBe('33.3333');
  });

  it('is unknown without any', () => {
    expect(winRate(NO_WINS)).toBeNull();
    expect(printRatePercent(winRate(NO_WINS))).toBeNull();
  });
});
