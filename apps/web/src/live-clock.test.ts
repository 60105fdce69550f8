import { describe, expect, it } from 'vitest';
import { BEAT_MS, createLiveClock } from './live-clock.ts';

function aClock(nowMs: number) {
  const timers: { run: () => void; delayMs: number }[] = [];
  const clock = createLiveClock({
    nowMs: () => nowMs,
    setTimer: (run, delayMs) => void timers.push({ run, delayMs }),
  });
  return { clock, timers, beat: () => timers.shift()?.run() };
}

describe('the live clock', () => {
  it('runs everything of a lane once, however often it was asked for', () => {
    const { clock, timers, beat } = aClock(0);
    const ran: string[] = [];
    const first = () => void ran.push('first');
    clock.atNext('trades', first);
    clock.atNext('trades', first);
    clock.atNext('trades', () => void ran.push('second'));
    expect(timers).toHaveLength(1);
    expect(ran).toEqual([]);
    beat();
    expect(ran).toEqual(['first', 'second']);
  });

  it('gives each lane a moment of its own within a beat', () => {
    const { clock, timers } = aClock(10 * BEAT_MS + 1);
    for (const lane of ['chart', 'prices', 'trades'] as const) clock.atNext(lane, () => {});
    const delays = timers.map(({ delayMs }) => delayMs);
    expect(new Set(delays).size).toBe(3);
    for (const delayMs of delays) {
      expect(delayMs).toBeGreaterThan(0);
      expect(delayMs).toBeLessThanOrEqual(BEAT_MS);
    }
  });

  it('waits a whole beat for work that is asked for during the beat', () => {
    const { clock, timers, beat } = aClock(0);
    clock.atNext('chart', () => clock.atNext('chart', () => {}));
    beat();
    expect(timers.map(({ delayMs }) => delayMs)).toEqual([BEAT_MS]);
  });

  it('leaves out what was called off', () => {
    const { clock, beat } = aClock(0);
    let ran = false;
    clock.atNext('prices', () => (ran = true))();
    beat();
    expect(ran).toBe(false);
  });
});
