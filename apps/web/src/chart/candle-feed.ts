// Feeds the chart: the newest candles first, older ones as it is scrolled back, the last bar live. Answers that come after
// the token or the interval changed are dropped, or they would be drawn into the wrong chart.
import type { CallReply } from '@hunter/contract/calls';
import type { ChannelData } from '@hunter/contract/stream';

export type Candle = CallReply<'kline'>['lists'][number];
export type Bar = {
  timestamp: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  turnover: number;
};

export const BARS_PER_PAGE = 500;
export type CandleFeedParts = {
  /** Newest first page without `before`, else the candles before that time. Oldest first within a page. */
  load: (before: number | null, signal: AbortSignal) => Promise<readonly Candle[]>;
  subscribe: (onCandle: (candle: ChannelData<'candles'>) => void, onGap: () => void) => () => void;
  onPhase: (phase: FeedPhase) => void;
  /** Runs the update of the last bar when it may be drawn: each one redraws all panes. Answers how to call it off. */
  atNextBeat: (run: () => void) => () => void;
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

/** Floats are enough here: they are only drawn. */
export function barOf(candle: Candle): Bar {
  return {
    timestamp: candle.t,
    open: Number(candle.o),
    high: Number(candle.h),
    low: Number(candle.l),
    close: Number(candle.c),
    volume: Number(candle.v),
    turnover: Number(candle.vUsd),
  };
}

export function createCandleFeed(parts: CandleFeedParts): CandleFeed {
  const abort = new AbortController();
  let leave: (() => void) | null = null;
  let callOff: (() => void) | null = null;
  // Candles that wait for the next update, oldest first: a closed one must not be lost to the one that follows it.
  let waiting: Bar[] = [];

  function unfollow(): void {
    leave?.();
    leave = null;
    waiting = [];
    callOff?.();
    callOff = null;
  }

  return {
    async first(deliver) {
      parts.onPhase({ phase: 'loading' });
      try {
        const candles = await parts.load(null, abort.signal);
        if (abort.signal.aborted) return;
        deliver(candles.map(barOf), candles.length >= BARS_PER_PAGE);
        parts.onPhase({ phase: 'ready', bars: candles.length });
      } catch (error) {
        if (abort.signal.aborted) return;
        deliver([], false);
        parts.onPhase({ phase: 'failed', error });
      }
    },
    async older(before, deliver) {
      try {
        const candles = await parts.load(before, abort.signal);
        if (abort.signal.aborted) return;
        const bars = candles.filter((candle) => candle.t < before).map(barOf);
        deliver(bars, candles.length >= BARS_PER_PAGE);
      } catch {
        // The chart stays as it is and asks again when it is scrolled there again.
        if (!abort.signal.aborted) deliver([], true);
      }
    },
    follow(update, reset) {
      unfollow();
      const flush = () => {
        callOff = null;
        const bars = waiting;
        waiting = [];
        for (const bar of bars) update(bar);
      };
      leave = parts.subscribe((candle) => {
        const bar = barOf(candle);
        const last = waiting.at(-1);
        if (last && last.timestamp === bar.timestamp) waiting[waiting.length - 1] = bar;
        else if (!last || last.timestamp < bar.timestamp) waiting.push(bar);
        callOff ??= parts.atNextBeat(flush);
      }, reset);
    },
    unfollow,
    stop() {
      abort.abort();
      unfollow();
    },
  };
}
