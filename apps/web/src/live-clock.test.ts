import { describe, expect, it } from 'vitest';
import { LiveClock, paces } from './live-clock.ts';

const [BEAT_MS, CALM_BEAT_MS, SLOW_BEAT_MS] = paces.map(({ beatMs }) => beatMs) as [number, number, number];
const PER_SLOW_FRAME = paces[2].perFrame;
const indexes = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

function aClock(startMs: number) {
  let nowMs = startMs;
  const timers: { run: () => void; delayMs: number }[] = [];
  const renders: (() => void)[] = [];
  const frames: ((frameMs: number) => void)[] = [];
  const clock = new LiveClock({
    nowMs: () => nowMs,
    setTimer: (run, delayMs) => void timers.push({ run, delayMs }),
    afterRender: (run) => void renders.push(run),
    afterFrame: (run) => void frames.push(run),
  });
  const beat = () => timers.shift()?.run();
  const frame = (frameMs = 0) => frames.shift()?.(frameMs);
  /** Changes that cost so much, half of it to render; answers how far apart the last two of them were. */
  const changes = (count: number, costMs: number): number => {
    let apartMs = 0;
    for (let change = 0; change < count; change += 1) {
      clock.atNext('chart', () => {});
      apartMs = costMs / 2 + timers[0]!.delayMs;
      nowMs += timers[0]!.delayMs;
      beat();
      nowMs += costMs / 2;
      renders.shift()?.();
      frame(costMs / 2);
    }
    return apartMs;
  };
  return { clock, timers, frames, beat, frame, changes };
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

  it('becomes calm where changes cost much, and lively again where they do not', () => {
    const { clock, changes } = aClock(0);
    expect(changes(50, 6)).toBe(BEAT_MS);
    expect(changes(2, 60)).toBe(BEAT_MS);
    expect(changes(50, 30)).toBe(CALM_BEAT_MS);
    expect(changes(50, 14)).toBe(CALM_BEAT_MS);
    expect(clock.isSlow()).toBe(false);
    expect(changes(50, 60)).toBe(SLOW_BEAT_MS);
    expect(changes(50, 30)).toBe(SLOW_BEAT_MS);
    expect(clock.isSlow()).toBe(true);
    expect(changes(50, 14)).toBe(CALM_BEAT_MS);
    expect(changes(50, 6)).toBe(BEAT_MS);
  });

  it('spreads the changes of a beat over the frames after it where they cost much', () => {
    const { clock, frames, timers, beat, frame, changes } = aClock(0);
    changes(50, 60);
    const ran: number[] = [];
    const offs = Array.from({ length: 2 * PER_SLOW_FRAME + 1 }, (_, index) =>
      clock.atNext('prices', () => ran.push(index)),
    );
    beat();
    expect(ran).toEqual(indexes(PER_SLOW_FRAME));
    offs[PER_SLOW_FRAME]!();
    frame();
    expect(ran).toEqual(indexes(2 * PER_SLOW_FRAME + 1).filter((index) => index !== PER_SLOW_FRAME));
    frame();
    expect([frames, timers]).toEqual([[], []]);
  });

  it('does the rest with the next beat where no frame comes, as in a hidden tab', () => {
    const { clock, beat, changes } = aClock(0);
    changes(50, 60);
    const ran: number[] = [];
    for (const index of indexes(3 * PER_SLOW_FRAME)) clock.atNext('prices', () => ran.push(index));
    beat();
    expect(ran).toHaveLength(PER_SLOW_FRAME);
    clock.atNext('prices', () => ran.push(-1));
    beat();
    expect(ran).toEqual([...indexes(3 * PER_SLOW_FRAME), -1]);
  });

  it('waits for as many beats as it is asked to', () => {
    const { clock, timers, beat } = aClock(0);
    let ran = 0;
    clock.atNext('prices', () => (ran += 1), 2);
    beat();
    beat();
    expect([ran, timers.length]).toEqual([0, 1]);
    beat();
    expect([ran, timers.length]).toEqual([1, 0]);
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
