import { describe, expect, it } from 'vitest';
import { durationText, timeSince, timeUntil } from './duration.ts';

const say = (key: string, params?: object) => `${key.split('.').at(-1)} ${JSON.stringify(params)}`;

describe('the time a strategy still runs', () => {
  it('is split into days, hours and minutes, rounded up to the minute', () => {
    expect(timeUntil(90_061_000, 0)).toEqual({ days: 1, hours: 1, minutes: 2 });
    expect(timeUntil(1, 0)).toEqual({ days: 0, hours: 0, minutes: 1 });
  });

  it('never goes below nothing', () => {
    expect(timeUntil(0, 5_000)).toEqual({ days: 0, hours: 0, minutes: 0 });
  });

  it('counts whole minutes since the beginning, rounded down', () => {
    expect(timeSince(0, 119_999)).toEqual({ days: 0, hours: 0, minutes: 1 });
    expect(timeSince(5_000, 0)).toEqual({ days: 0, hours: 0, minutes: 0 });
  });

  it('leaves out leading parts that are zero', () => {
    expect(durationText({ days: 2, hours: 0, minutes: 5 }, say)).toBe('days {"days":2,"hours":0,"minutes":5}');
    expect(durationText({ days: 0, hours: 3, minutes: 0 }, say)).toBe('hours {"hours":3,"minutes":0}');
    expect(durationText({ days: 0, hours: 0, minutes: 7 }, say)).toBe('minutes {"minutes":7}');
  });
});
