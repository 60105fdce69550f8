import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isMidnight, timeTicks } from './time-ticks.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const start = new Date(2026, 10, 14, 17, 23, 41).getTime();
const at = (ms: number) => {
  const time = new Date(ms);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${time.getMonth() + 1}/${time.getDate()} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
};
const ticks = (spanMs: number, most: number) => timeTicks(start, start + spanMs, most).times.map(at);

describe('the labels of a time axis', () => {
  it('stand at midnights where they are dates, each once', () => {
    expect(ticks(3 * DAY_MS, 6)).toEqual(['11/15 00:00:00', '11/16 00:00:00', '11/17 00:00:00']);
    expect(ticks(7 * DAY_MS, 4).map((text) => text.slice(-8))).toEqual(Array.from({ length: 4 }, () => '00:00:00'));
  });

  it('stand at round times within a day, whose midnight is known', () => {
    expect(timeTicks(start, start + 24 * HOUR_MS, 4).times.map(isMidnight)).toEqual([false, true, false, false]);
    expect(ticks(24 * HOUR_MS, 4)).toEqual(['11/14 18:00:00', '11/15 00:00:00', '11/15 06:00:00', '11/15 12:00:00']);
    expect(ticks(90_000, 6).slice(0, 3)).toEqual(['11/14 17:23:45', '11/14 17:24:00', '11/14 17:24:15']);
  });

  it('stand at the first of months over a year', () => {
    expect(ticks(360 * DAY_MS, 4)).toEqual(['1/1 00:00:00', '4/1 00:00:00', '7/1 00:00:00', '10/1 00:00:00']);
  });

  it('are in order, inside, never more than there is room for, and there is always one', () => {
    const time = fc.integer({ min: 0, max: 4_000_000_000_000 });
    const span = fc.oneof(
      fc.integer({ min: 4_000, max: 100_000_000 }),
      fc.integer({ min: 4_000, max: 60_000_000_000 }),
    );
    fc.assert(
      fc.property(time, span, fc.integer({ min: 3, max: 6 }), (first, spanMs, most) => {
        const { times } = timeTicks(first, first + spanMs, most);
        expect(times.length).toBeGreaterThan(0);
        expect(times.length).toBeLessThanOrEqual(most + 1);
        expect(times[0]).toBeGreaterThanOrEqual(first);
        expect(times.at(-1)).toBeLessThanOrEqual(first + spanMs);
        expect(times).toEqual([...new Set(times)].toSorted((left, right) => left - right));
      }),
    );
  });
});
