import { describe, expect, it } from 'vitest';
import { bucketStartMs, CANDLE_INTERVALS, intervalMs, isCandleInterval } from './candle-interval.ts';

describe('a candle interval', () => {
  it('has its length in milliseconds, and every finer one divides every coarser one', () => {
    const lengths = CANDLE_INTERVALS.map(intervalMs);
    expect(lengths).toEqual([1_000, 60_000, 300_000, 900_000, 3_600_000, 14_400_000, 86_400_000]);
    lengths.forEach((length, index) => {
      for (const finer of lengths.slice(0, index)) expect(length % finer).toBe(0);
    });
  });

  it('begins its buckets at multiples of its length since 1970', () => {
    expect(bucketStartMs(119_999, '1m')).toBe(60_000);
    expect(bucketStartMs(120_000, '1m')).toBe(120_000);
    expect(bucketStartMs(86_399_999, '1d')).toBe(0);
  });

  it('is told from any other text', () => {
    expect(isCandleInterval('15m')).toBe(true);
    for (const text of ['', '2m', '1M', 'toString']) expect(isCandleInterval(text)).toBe(false);
  });
});
