import { describe, expect, it } from 'vitest';
import { createLiveClock, paces } from './live-clock.ts';

const [BEAT_MS, CALM_BEAT_MS, SLOW_BEAT_MS] = paces.map(({ beatMs }) => beatMs) as [number, number, number];

function aClock(startMs: number) {
  let nowMs = startMs;
  const timers: { run: () => void; delayMs: number }[] = [];
  const frames: (() => void)[] = [];
  const clock = createLiveClock({
    nowMs: () => nowMs,
    setTimer: (run, delayMs) => void timers.push({ run, delayMs }),
    afterFrame: (run) => void frames.push(run),
  });
  const beat = () => timers.shift()?.run();
  /** Changes that are seen after so long; answers how far apart the last two of them were. */
  const changes = (count: number, seenAfterMs: number): number => {
    let apartMs = 0;
    for (let change = 0; change < count; change += 1) {
      clock.atNext('chart', () => {});
      apartMs = seenAfterMs + timers[0]!.delayMs;
      nowMs += timers[0]!.delayMs;
      beat();
      nowMs += seenAfterMs;
      frames.shift()?.();
    }
    return apartMs;
  };
  return { clock, timers, frames, beat, changes };
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

  it('asks for whole milliseconds, and never for fewer than there are to the moment', () => {
    const { clock, timers } = aClock(0.4);
    for (const lane of ['chart', 'prices', 'trades'] as const) clock.atNext(lane, () => {});
    expect(timers.map(({ delayMs }) => delayMs)).toEqual([250, 83, 167]);
  });

  it('becomes calm where changes take long to be seen, and lively again where they do not', () => {
    const { changes } = aClock(0);
    expect(changes(50, 12)).toBe(BEAT_MS);
    expect(changes(3, 60)).toBe(BEAT_MS);
    expect(changes(50, 40)).toBe(CALM_BEAT_MS);
    expect(changes(50, 23)).toBe(CALM_BEAT_MS);
    expect(changes(50, 60)).toBe(SLOW_BEAT_MS);
    expect(changes(50, 40)).toBe(SLOW_BEAT_MS);
    expect(changes(50, 23)).toBe(CALM_BEAT_MS);
    expect(changes(50, 12)).toBe(BEAT_MS);
  });

  it('waits for one frame however long the tab is hidden, and does not take that for slowness', () => {
    const { clock, frames, beat } = aClock(0);
    for (let hidden = 0; hidden < 100; hidden += 1) {
      clock.atNext('chart', () => {});
      beat();
    }
    expect(frames).toHaveLength(1);
    const returned = aClock(0);
    returned.changes(1, 3_600_000);
    expect(returned.changes(2, 12)).toBe(BEAT_MS);
  });

  it('leaves out what was called off', () => {
    const { clock, beat } = aClock(0);
    let ran = false;
    clock.atNext('prices', () => (ran = true))();
    beat();
    expect(ran).toBe(false);
  });
});
