import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { BARS_PER_PAGE, CandleFeed, mergeCandles } from './candle-feed.ts';
import type { CandleFeedDeps, FeedPhase } from './candle-feed.ts';
import { barsOf } from './chart-scale.ts';
import type { Bar, Candle } from './chart-scale.ts';

const scale = { unit: 'usd', factor: 1 } as const;
const MINUTE = 60_000;

function aCandle(t: number, close = '1'): Candle {
  return { t, o: '1', h: '2', l: '0.5', c: close, v: '10', vUsd: '20', cSol: null, closed: true };
}

function aFeed(load: CandleFeedDeps['load']) {
  const phases: FeedPhase[] = [];
  const beats: (() => void)[] = [];
  let live: (candle: Candle) => void = () => {};
  let gap: () => void = () => {};
  const left = vi.fn();
  const clock = { nowMs: 0, timers: [] as { run: () => void; delayMs: number }[] };
  const feed = new CandleFeed({
    scale,
    stepMs: MINUTE,
    nowMs: () => clock.nowMs,
    setTimer: (run, delayMs) => {
      const timer = { run, delayMs };
      clock.timers.push(timer);
      return () => void (clock.timers = clock.timers.filter((other) => other !== timer));
    },
    load,
    subscribe: (onCandle, onGap) => {
      live = onCandle;
      gap = onGap;
      return left;
    },
    onPhase: (phase) => phases.push(phase),
    atNextBeat: (run) => {
      beats.push(run);
      return () => void beats.splice(0);
    },
  });
  return { feed, phases, beats, left, clock, tell: (candle: Candle) => live(candle), miss: () => gap() };
}

describe('the candle feed', () => {
  it('delivers the newest page and says whether there may be more', async () => {
    const full = Array.from({ length: BARS_PER_PAGE }, (_, at) => aCandle(at * 60_000));
    const { feed, phases } = aFeed(() => Promise.resolve(full));
    const delivered = vi.fn();
    await feed.first(delivered);
    expect(delivered).toHaveBeenCalledWith(barsOf(full, scale), true);
    expect(phases).toEqual([{ phase: 'loading' }, { phase: 'ready', bars: BARS_PER_PAGE }]);
  });

  it('asks for nothing once it is stopped', async () => {
    const load = vi.fn(() => Promise.resolve([]));
    const { feed, phases } = aFeed(load);
    feed.stop();
    await feed.first(() => {});
    expect(load).not.toHaveBeenCalled();
    expect(phases).toEqual([]);
  });

  it('asks for what lies before the oldest bar and drops what overlaps', async () => {
    const load = vi.fn(() => Promise.resolve([aCandle(60_000), aCandle(120_000)]));
    const { feed } = aFeed(load);
    const delivered = vi.fn();
    await feed.older(120_000, delivered);
    expect(load).toHaveBeenCalledWith(120_000, expect.any(AbortSignal));
    expect(delivered).toHaveBeenCalledWith(barsOf([aCandle(60_000)], scale), false);
  });

  it('says that loading failed, and leaves the chart empty', async () => {
    const error = new Error('down');
    const { feed, phases } = aFeed(() => Promise.reject(error));
    const delivered = vi.fn();
    await feed.first(delivered);
    expect(delivered).toHaveBeenCalledWith([], false);
    expect(phases.at(-1)).toEqual({ phase: 'failed', error });
  });

  it('loads anew where more waits to be drawn than a page holds', async () => {
    const { feed, beats, tell } = aFeed(() => Promise.resolve([aCandle(0)]));
    await feed.first(() => {});
    const update = vi.fn();
    const reset = vi.fn();
    feed.follow(update, reset);
    for (let at = 1; at <= BARS_PER_PAGE + 1; at += 1) tell(aCandle(at * MINUTE));
    beats[0]!();
    expect(update).not.toHaveBeenCalled();
    expect(reset).toHaveBeenCalledOnce();
  });

  it('may be asked again for older bars after a failure', async () => {
    const { feed } = aFeed(() => Promise.reject(new Error('down')));
    const delivered = vi.fn();
    await feed.older(1, delivered);
    expect(delivered).toHaveBeenCalledWith([], true);
  });

  it('drops an answer that comes after it was stopped', async () => {
    let answer: (candles: Candle[]) => void = () => {};
    const { feed, phases } = aFeed(() => new Promise((resolve) => (answer = resolve)));
    const delivered = vi.fn();
    const loading = feed.first(delivered);
    feed.stop();
    answer([aCandle(0)]);
    await loading;
    expect(delivered).not.toHaveBeenCalled();
    expect(phases).toEqual([{ phase: 'loading' }]);
  });

  it('updates the last bar once a beat, with the newest of each bar', () => {
    const { feed, beats, tell } = aFeed(() => Promise.resolve([]));
    const updates: Bar[] = [];
    feed.follow((bar) => updates.push(bar), vi.fn());
    tell(aCandle(0, '1'));
    tell(aCandle(0, '2'));
    tell(aCandle(60_000, '3'));
    tell(aCandle(60_000, '4'));
    expect(updates).toEqual([]);
    expect(beats).toHaveLength(1);
    beats[0]?.();
    expect(updates.map(({ timestamp, close }) => [timestamp, close])).toEqual([
      [0, 2],
      [60_000, 4],
    ]);
  });

  it('continues the line when an interval has passed without trades, and only then', async () => {
    const { feed, beats, clock } = aFeed(() => Promise.resolve([aCandle(0, '3')]));
    await feed.first(vi.fn());
    const updates: Bar[] = [];
    clock.nowMs = MINUTE;
    feed.follow((bar) => updates.push(bar), vi.fn());
    expect(beats).toEqual([]);
    expect(clock.timers).toMatchObject([{ delayMs: 1_500 }]);
    clock.nowMs += 1_500;
    clock.timers[0]?.run();
    beats[0]?.();
    expect(updates).toEqual([{ timestamp: MINUTE, open: 3, high: 3, low: 3, close: 3, volume: 0, turnover: 0 }]);
  });

  it('fills the intervals before a candle that comes after a pause', async () => {
    const { feed, beats, tell } = aFeed(() => Promise.resolve([aCandle(0, '3')]));
    await feed.first(vi.fn());
    const updates: Bar[] = [];
    feed.follow((bar) => updates.push(bar), vi.fn());
    tell({ ...aCandle(3 * MINUTE, '5'), o: '3' });
    beats[0]?.();
    expect(updates.map(({ timestamp, close, volume }) => [timestamp / MINUTE, close, volume])).toEqual([
      [1, 3, 0],
      [2, 3, 0],
      [3, 5, 10],
    ]);
  });

  it('reads again when a candle does not open at the last close, and not again at once', async () => {
    const load = vi.fn(() => Promise.resolve([aCandle(0), aCandle(MINUTE, '3')]));
    const { feed, clock, tell } = aFeed(load);
    await feed.first(vi.fn());
    feed.follow(vi.fn(), vi.fn());
    tell({ ...aCandle(2 * MINUTE, '5'), o: '4' });
    tell({ ...aCandle(3 * MINUTE, '5'), o: '4' });
    expect(load).toHaveBeenCalledTimes(2);
    clock.nowMs += 10_000;
    tell({ ...aCandle(4 * MINUTE, '5'), o: '4' });
    expect(load).toHaveBeenCalledTimes(3);
  });

  /** Minutes 0 and 1 are drawn, the clock has continued the line to 3, and from 1 on something was missed. */
  async function aGap(answers: (() => Promise<Candle[]>)[]) {
    const shown: Bar[] = [];
    const made = aFeed(() => (answers.shift() ?? (() => new Promise<never>(() => {})))());
    await made.feed.first((bars) => shown.push(...bars));
    const reset = vi.fn();
    const update = (bar: Bar) => {
      const at = shown.findIndex(({ timestamp }) => timestamp >= bar.timestamp);
      shown.splice(at < 0 ? shown.length : at, shown[at]?.timestamp === bar.timestamp ? 1 : 0, bar);
    };
    made.clock.nowMs = 3 * MINUTE + 2_000;
    made.feed.follow(update, reset);
    const drawn = () => {
      for (const beat of made.beats.splice(0)) beat();
      return shown.map(({ timestamp, close }) => [timestamp / MINUTE, close]);
    };
    expect(drawn().map(([minute]) => minute)).toEqual([0, 1, 2, 3]);
    return { ...made, reset, drawn };
  }
  const start = () => Promise.resolve([aCandle(0), aCandle(MINUTE)]);

  it('reads again what it missed, and keeps what it is told meanwhile', async () => {
    const answer = Promise.withResolvers<Candle[]>();
    const { tell, miss, reset, drawn } = await aGap([start, () => answer.promise]);
    miss();
    tell(aCandle(3 * MINUTE, '31'));
    tell({ ...aCandle(4 * MINUTE, '40'), o: '31', closed: false });
    answer.resolve([aCandle(0), aCandle(MINUTE, '11'), aCandle(2 * MINUTE, '20'), aCandle(3 * MINUTE, '30')]);
    await expect.poll(drawn).toEqual([
      [0, 1],
      [1, 11],
      [2, 20],
      [3, 31],
      [4, 40],
    ]);
    expect(reset).not.toHaveBeenCalled();
  });

  it('continues the line from what it missed, not from where it lost the connection', async () => {
    const { miss, drawn } = await aGap([
      start,
      () => Promise.resolve([aCandle(0), aCandle(MINUTE), aCandle(2 * MINUTE, '20')]),
    ]);
    miss();
    await expect.poll(drawn).toEqual([
      [0, 1],
      [1, 1],
      [2, 20],
      [3, 20],
    ]);
  });

  it('leaves the chart as it is where reading again fails, and tries once more', async () => {
    const down = () => Promise.reject(new Error('down'));
    const { miss, clock, phases, reset, drawn } = await aGap([
      start,
      down,
      () => Promise.resolve([aCandle(0), aCandle(MINUTE, '11')]),
    ]);
    clock.timers.splice(0);
    miss();
    await expect.poll(() => clock.timers).toHaveLength(1);
    expect(drawn()).toEqual([
      [0, 1],
      [1, 1],
      [2, 1],
      [3, 1],
    ]);
    clock.timers[0]!.run();
    await expect.poll(drawn).toEqual([
      [0, 1],
      [1, 11],
      [2, 11],
      [3, 11],
    ]);
    expect(phases.at(-1)).toEqual({ phase: 'ready', bars: 2 });
    expect(reset).not.toHaveBeenCalled();
  });

  it('puts off one attempt at most, however many gaps there were, and none once it is stopped', async () => {
    const down = () => Promise.reject(new Error('down'));
    const { feed, miss, clock } = await aGap([start, down, down]);
    clock.timers.splice(0);
    miss();
    await expect.poll(() => clock.timers).toHaveLength(1);
    miss();
    expect(clock.timers).toEqual([]);
    await expect.poll(() => clock.timers).toHaveLength(1);
    feed.stop();
    expect(clock.timers).toEqual([]);
  });

  it('reads from the first gap on when another comes before the answer', async () => {
    const answer = Promise.withResolvers<Candle[]>();
    const page = [aCandle(0), aCandle(MINUTE, '11'), aCandle(2 * MINUTE, '20'), aCandle(5 * MINUTE, '50')];
    const { tell, miss, drawn } = await aGap([start, () => new Promise(() => {}), () => answer.promise]);
    miss();
    tell(aCandle(4 * MINUTE, '40'));
    tell({ ...aCandle(5 * MINUTE, '50'), o: '40' });
    miss();
    answer.resolve(page);
    await expect.poll(drawn).toContainEqual([2, 20]);
  });

  it('loads anew where more was missed than a page holds', async () => {
    const { miss, reset } = await aGap([start, () => Promise.resolve([aCandle(3 * MINUTE)])]);
    miss();
    await expect.poll(() => reset.mock.calls).toHaveLength(1);
  });

  it('passes on a candle that changed after it closed', async () => {
    const { feed, beats, tell } = aFeed(() => Promise.resolve([aCandle(0), aCandle(MINUTE)]));
    await feed.first(vi.fn());
    const updates: Bar[] = [];
    const reset = vi.fn();
    feed.follow((bar) => updates.push(bar), reset);
    tell(aCandle(0, '7'));
    beats[0]?.();
    expect(updates).toMatchObject([{ timestamp: 0, close: 7 }]);
    expect(reset).not.toHaveBeenCalled();
  });

  it('loads anew, and does not continue the line any more, where this clock runs ahead of the server', async () => {
    const { feed, clock, tell } = aFeed(() => Promise.resolve([aCandle(0)]));
    await feed.first(vi.fn());
    const reset = vi.fn();
    clock.nowMs = 5 * MINUTE;
    feed.follow(vi.fn(), reset);
    tell({ ...aCandle(MINUTE), closed: false });
    expect(reset).toHaveBeenCalledOnce();
    feed.unfollow();
    feed.follow(vi.fn(), reset);
    expect(clock.timers).toEqual([]);
  });

  it('asks for a reset when candles were missed, and leaves when it is stopped', () => {
    const { feed, beats, tell, miss, left } = aFeed(() => Promise.resolve([]));
    const reset = vi.fn();
    feed.follow(vi.fn(), reset);
    miss();
    expect(reset).toHaveBeenCalledOnce();
    tell(aCandle(0));
    feed.stop();
    expect(left).toHaveBeenCalledOnce();
    expect(beats).toEqual([]);
  });
});

it('merges what was read and told into one candle for each time, the newest of it', () => {
  const candles = fc.array(fc.record({ t: fc.nat(20), c: fc.nat(9) }), { maxLength: 30 });
  fc.assert(
    fc.property(candles, candles, (read, told) => {
      const of = (list: { t: number; c: number }[]) => list.map(({ t, c }) => aCandle(t, String(c)));
      const merged = mergeCandles(of(read), of(told));
      const times = [...new Set([...read, ...told].map(({ t }) => t))].toSorted((a, b) => a - b);
      expect(merged.map(({ t }) => t)).toEqual(times);
      for (const { t, c } of merged) {
        expect(c).toBe(String((told.findLast((each) => each.t === t) ?? read.findLast((each) => each.t === t))!.c));
      }
    }),
  );
});
