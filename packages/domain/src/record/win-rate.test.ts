import { describe, expect, it } from 'vitest';
import { printRatePercent } from '../numbers/rate.ts';
import { winRate } from './win-rate.ts';

describe('the win rate', () => {
  it('is the share of closed round trips with a profit after fees', () => {
    expect(printRatePercent(winRate({ closed: 3, won: 1 }))).toBe('33.3333');
  });

  it('is unknown without any', () => {
    expect(winRate({ closed: 0, won: 0 })).toBeNull();
    expect(printRatePercent(winRate({ closed: 0, won: 0 }))).toBeNull();
  });
});
