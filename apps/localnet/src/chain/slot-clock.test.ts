import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SlotClock } from './slot-clock.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('goes on from slot to slot when the date is set back, and jumps ahead with it', () => {
  let nowMs = 1_800_000_000_000;
  const slots: number[] = [];
  const clock = new SlotClock({
    anchor: { slot: 10, timeMs: nowMs },
    slotMs: 400,
    now: () => nowMs,
    manual: false,
    onSlot: (slot) => slots.push(slot),
  });
  const pass = (count: number): void => {
    for (let i = 0; i < count; i += 1) {
      nowMs += 400;
      vi.advanceTimersByTime(400);
    }
  };
  clock.start();
  pass(2);
  expect(slots).toEqual([11, 12]);
  nowMs -= 60 * 86_400_000;
  // The step in which it is noticed is lost.
  pass(3);
  expect(slots).toEqual([11, 12, 13, 14]);
  expect(clock.startOf(14)).toBe(nowMs);
  nowMs += 3_600_000;
  pass(1);
  expect(slots.at(-1)).toBe(14 + 9_000 + 1);
  clock.stop();
});
