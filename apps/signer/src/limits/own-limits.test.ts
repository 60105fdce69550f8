import { describe, expect, it } from 'vitest';
import { chooseLimits, isLooser, limitsAt, NO_OWN_LIMITS, type ChosenLimits } from './own-limits.ts';

const DAY_MS = 24 * 60 * 60_000;
const limits = (dailyLamports: bigint, delaysNew = false) => ({ dailyLamports, delaysNew });
const chosen = (dailyLamports: bigint, delaysNew = false): ChosenLimits => ({
  now: limits(dailyLamports, delaysNew),
  next: null,
});

describe('limits that the owner of a wallet chose', () => {
  it('hold at once where they are stricter, and replace what was to come', () => {
    expect(chooseLimits(NO_OWN_LIMITS, limits(5n, true), 7)).toEqual(chosen(5n, true));
    const waiting = { ...chosen(5n), next: { ...limits(9n), from: 100 } };
    expect(chooseLimits(waiting, limits(5n), 7)).toEqual(chosen(5n));
  });

  it('become looser after a day, and keep meanwhile whichever is stricter in each', () => {
    expect(chooseLimits(chosen(5n), limits(6n), 7)).toEqual({
      now: limits(5n),
      next: { ...limits(6n), from: 7 + DAY_MS },
    });
    expect(chooseLimits(chosen(5n, true), limits(4n), 7)).toEqual({
      now: limits(4n, true),
      next: { ...limits(4n), from: 7 + DAY_MS },
    });
    expect(chooseLimits(chosen(5n), limits(6n, true), 7).now).toEqual(limits(5n, true));
  });

  it('take effect at their time', () => {
    const waiting = { ...chosen(5n), next: { ...limits(9n), from: 100 } };
    expect(limitsAt(waiting, 99)).toEqual(waiting);
    expect(limitsAt(waiting, 100)).toEqual(chosen(9n));
    expect(limitsAt(chosen(5n), 100)).toEqual(chosen(5n));
    // What holds now counts, not what was chosen before it.
    expect(chooseLimits(waiting, limits(9n), 100)).toEqual(chosen(9n));
  });

  it('are looser by a higher amount or without the delay, and not where they are equal', () => {
    expect(isLooser(limits(5n), limits(5n))).toBe(false);
    expect(isLooser(limits(5n), limits(6n))).toBe(true);
    expect(isLooser(limits(5n, true), limits(4n))).toBe(true);
    expect(isLooser(limits(5n), limits(4n, true))).toBe(false);
    expect(isLooser(limits(5n, true), limits(5n, true))).toBe(false);
  });
});
