// Feeds the chart: the newest candles first, older ones as it is scrolled back, the last bar live. Answers that come after
// the token or the interval changed are dropped, or they would be drawn into the wrong chart.
import type { ChannelData } from '@hunter/contract/stream';
import { barOf, barsOf } from './chart-scale.ts';
import type { Bar, Candle, ChartScale } from './chart-scale.ts';

export const BARS_PER_PAGE = 500;
/** How long after its end an interval counts as one without trades: what was traded in it has been told by then. */
const TOLD_WITHIN_MS = 1_500;
/** Candles that do not connect mean that some were missed; they are loaded anew at most this often. */
const RESET_EVERY_MS = 10_000;

export type CandleFeedDeps = {
  scale: ChartScale;
  stepMs: number;
  /** Newest first page without `before`, else the candles before that time. Oldest first within a page. */
  load: (before: number | null, signal: AbortSignal) => Promise<readonly Candle[]>;
  subscribe: (onCandle: (candle: ChannelData<'candles'>) => void, onGap: () => void) => () => void;
  onPhase: (phase: FeedPhase) => void;
  /** Runs the update of the last bar when it may be drawn: each one redraws all panes. Answers how to call it off. */
  atNextBeat: (run: () => void) => () => void;
  nowMs: () => number;
  setTimer: (run: () => void, delayMs: number) => () => void;
};

export type FeedPhase = { phase: 'loading' } | { phase: 'ready'; bars: number } | { phase: 'failed'; error: unknown };

export type CandleFeed = {
  first: (deliver: (bars: Bar[], more: boolean) => void) => Promise<void>;
  older: (before: number, deliver: (bars: Bar[], more: boolean) => void) => Promise<void>;
  /** `reset` is called when candles were missed and everything must be loaded anew. */
  follow: (update: (bar: Bar) => void, reset: () => void) => void;
  unfollow: () => void;
  stop: () => void;
};

export function createCandleFeed(deps: CandleFeedDeps): CandleFeed {
  const { scale, stepMs } = deps;
  const abort = new AbortController();
  let leave: (() => void) | null = null;
  let callOff: (() => void) | null = null;
  let stopLine: (() => void) | null = null;
  // Bars that wait for the next update, by time: a closed one must not be lost to the one that follows it.
  let waiting = new Map<number, Bar>();
  let last: Bar | null = null;
  // The close before the next candle, as the server printed it.
  let lastClose: { t: number; c: string } | null = null;
  let resetAtMs = Number.NEGATIVE_INFINITY;
  // False once this device's clock has run ahead of the server's: the line would reach into the future.
  let mayContinue = true;

  function unfollow(): void {
    leave?.();
    callOff?.();
    stopLine?.();
    leave = callOff = stopLine = null;
    waiting = new Map();
  }

  function take(bar: Bar): void {
    waiting.set(bar.timestamp, bar);
    if (last === null || bar.timestamp >= last.timestamp) last = bar;
  }

  return {
    async first(deliver) {
      // The chart asks the old feed once more when it is told of another interval.
      if (abort.signal.aborted) return;
      // What is drawn already stays until the new bars are there.
      if (last === null) deps.onPhase({ phase: 'loading' });
      try {
        const candles = await deps.load(null, abort.signal);
        if (abort.signal.aborted) return;
        const bars = barsOf(candles, scale);
        last = bars.at(-1) ?? null;
        lastClose = candles.at(-1) ?? null;
        deliver(bars, candles.length >= BARS_PER_PAGE);
        deps.onPhase({ phase: 'ready', bars: bars.length });
      } catch (error) {
        if (abort.signal.aborted) return;
        deliver([], false);
        deps.onPhase({ phase: 'failed', error });
      }
    },
    async older(before, deliver) {
      try {
        const candles = await deps.load(before, abort.signal);
        if (abort.signal.aborted) return;
        const older = candles.filter((candle) => candle.t < before);
        deliver(barsOf(older, scale), candles.length >= BARS_PER_PAGE);
      } catch {
        // The chart stays as it is and asks again when it is scrolled there again.
        if (!abort.signal.aborted) deliver([], true);
      }
    },
    follow(update, reset) {
      unfollow();
      const flush = () => {
        callOff = null;
        const bars = [...waiting.values()].toSorted((a, b) => a.timestamp - b.timestamp);
        waiting = new Map();
        // Each of them would be drawn; after a long time out of sight one page is sooner there.
        if (bars.length > BARS_PER_PAGE) return reset();
        for (const bar of bars) update(bar);
      };
      /** A new interval without trades, as the server would tell it: the pool's price stays where it was. */
      const continueLine = (untilMs: number) => {
        for (let bars = 0; bars < BARS_PER_PAGE && last !== null && last.timestamp + stepMs <= untilMs; bars += 1) {
          const { timestamp, close } = last;
          take({ timestamp: timestamp + stepMs, open: close, high: close, low: close, close, volume: 0, turnover: 0 });
        }
        if (waiting.size > 0) callOff ??= deps.atNextBeat(flush);
      };
      const followClock = () => {
        if (last === null || !mayContinue) return;
        continueLine(deps.nowMs() - TOLD_WITHIN_MS);
        stopLine = deps.setTimer(followClock, last.timestamp + stepMs + TOLD_WITHIN_MS - deps.nowMs());
      };
      leave = deps.subscribe((candle) => {
        if (!candle.closed && last !== null && candle.t < last.timestamp) {
          mayContinue = false;
          reset();
          return;
        }
        if (lastClose !== null && candle.t > lastClose.t && candle.o !== lastClose.c) {
          if (deps.nowMs() - resetAtMs >= RESET_EVERY_MS) {
            resetAtMs = deps.nowMs();
            reset();
            return;
          }
        }
        if (lastClose === null || candle.t >= lastClose.t) lastClose = candle;
        continueLine(candle.t - stepMs);
        const bar = barOf(candle, scale, openOf(candle.t, last));
        if (bar) take(bar);
        if (waiting.size > 0) callOff ??= deps.atNextBeat(flush);
      }, reset);
      followClock();
    },
    unfollow,
    stop() {
      abort.abort();
      unfollow();
    },
  };
}

/** Where a bar of that time opens; null where the bar before it is not at hand. */
function openOf(timestamp: number, last: Bar | null): number | null {
  if (last === null || last.timestamp > timestamp) return null;
  return last.timestamp === timestamp ? last.open : last.close;
}
