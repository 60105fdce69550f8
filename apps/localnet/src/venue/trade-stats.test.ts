import { describe, expect, it } from 'vitest';
import type { Trade } from './trade.ts';
import { TradeStats } from './trade-stats.ts';

const HOUR = 3_600_000;
const NOW = 1_800_000_000_000;

const aTrade = (minutesAgo: number, side: 'buy' | 'sell', lamports: bigint, tokens: bigint): Trade =>
  ({ side, lamports, tokens, timeMs: NOW - minutesAgo * 60_000 }) as Trade;

describe('trade statistics', () => {
  it('add up each window by itself', () => {
    const stats = new TradeStats();
    stats.record(aTrade(30 * 60, 'buy', 500n, 100n), 3);
    stats.record(aTrade(20 * 60, 'buy', 100n, 100n), 1);
    stats.record(aTrade(50, 'sell', 150n, 100n), 2);
    stats.record(aTrade(2, 'buy', 300n, 100n), 1);
    expect(stats.window(NOW, 5 * 60_000)).toMatchObject({ numBuys: 1, numSells: 0, buyLamports: 300, numTraders: 1 });
    expect(stats.window(NOW, HOUR)).toMatchObject({ numBuys: 1, numSells: 1, sellLamports: 150, numNetBuyers: 1 });
    const day = stats.window(NOW, 24 * HOUR);
    expect(day).toMatchObject({ numBuys: 2, numSells: 1, numTraders: 2, numNetBuyers: 1 });
    expect(day.volumeChange).toBeCloseTo(10);
  });

  it('take the price before a window as its start', () => {
    const stats = new TradeStats();
    stats.record(aTrade(90, 'buy', 100n, 100n), 1);
    stats.record(aTrade(10, 'buy', 150n, 100n), 1);
    expect(stats.window(NOW, HOUR).priceChange).toBeCloseTo(50);
  });

  it('stay small over days of trading and survive being stored', () => {
    const stats = new TradeStats();
    const minutes = 4 * 24 * 60;
    for (let ago = minutes; ago >= 0; ago -= 1)
      stats.record(aTrade(ago, ago % 2 === 0 ? 'buy' : 'sell', 100n, 100n), ago % 50);
    const stored = JSON.parse(JSON.stringify(stats)) as ReturnType<TradeStats['toJSON']>;
    expect(stored.length).toBeLessThan(200);
    const again = new TradeStats(stored).window(NOW, 24 * HOUR);
    expect(again).toEqual(stats.window(NOW, 24 * HOUR));
    expect(again.numTraders).toBe(50);
    expect(Math.abs(again.numBuys + again.numSells - 24 * 60)).toBeLessThanOrEqual(60);
  });
});
