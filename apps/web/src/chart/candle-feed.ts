// Feeds the chart: the newest candles first, older ones as it is scrolled back, the last bar live. Answers that come after
// the token or the interval changed are dropped, or they would be drawn into the wrong chart.
import type { ChannelData } from '@hunter/contract/stream';
import { barOf, barsOf } from './chart-scale.ts';
import type { Bar, Candle, ChartScale } from './chart-scale.ts';

export const BARS_PER_PAGE = 500;
/** How long after its end an interval counts as one without trades: what was traded in it has been told by then. */
const TOLD_WITHIN_MS = 1_500;
/** Candles that do not connect mean that some were missed; they are read again at most this often. */
const REREAD_EVERY_MS = 10_000;
/** Whatever broke the connection may keep the first answers away, too. */
const RETRY_MS = 3_000;

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

/** Who draws the bars. */
type Follower = { update: (bar: Bar) => void; reset: () => void };

export class CandleFeed {
  readonly #deps: CandleFeedDeps;
  readonly #abort = new AbortController();
  #leave: (() => void) | null = null;
  #callOff: (() => void) | null = null;
  #stopLine: (() => void) | null = null;
  // Bars that wait for the next update, by time: a closed one must not be lost to the one that follows it.
  #waiting = new Map<number, Bar>();
  #last: Bar | null = null;
  // The close before the next candle, as the server printed it.
  #lastClose: { t: number; c: string } | null = null;
  #rereadAtMs = Number.NEGATIVE_INFINITY;
  // The candle before the one that was told last: when something was missed, it is not older.
  #beforeLast: number | null = null;
  // From where candles were missed, while they are being read again; what is told meanwhile is newer than that answer.
  #missed: { fromMs: number; told: Candle[] } | null = null;
  #stopRetry: (() => void) | null = null;
  // False once this device's clock has run ahead of the server's: the line would reach into the future.
  #mayContinue = true;

  constructor(deps: CandleFeedDeps) {
    this.#deps = deps;
  }

  async first(deliver: (bars: Bar[], more: boolean) => void): Promise<void> {
    const { signal } = this.#abort;
    // The chart asks the old feed once more when it is told of another interval.
    if (signal.aborted) return;
    // What is drawn already stays until the new bars are there.
    if (this.#last === null) this.#deps.onPhase({ phase: 'loading' });
    try {
      const candles = await this.#deps.load(null, signal);
      if (signal.aborted) return;
      const bars = barsOf(candles, this.#deps.scale);
      this.#last = bars.at(-1) ?? null;
      this.#lastClose = candles.at(-1) ?? null;
      this.#beforeLast = candles.at(-2)?.t ?? null;
      deliver(bars, candles.length >= BARS_PER_PAGE);
      this.#deps.onPhase({ phase: 'ready', bars: bars.length });
    } catch (error) {
      if (signal.aborted) return;
      deliver([], false);
      this.#deps.onPhase({ phase: 'failed', error });
    }
  }

  async older(before: number, deliver: (bars: Bar[], more: boolean) => void): Promise<void> {
    const { signal } = this.#abort;
    try {
      const candles = await this.#deps.load(before, signal);
      if (signal.aborted) return;
      const older = candles.filter((candle) => candle.t < before);
      deliver(barsOf(older, this.#deps.scale), candles.length >= BARS_PER_PAGE);
    } catch {
      // The chart stays as it is and asks again when it is scrolled there again.
      if (!signal.aborted) deliver([], true);
    }
  }

  /** `reset` is called when everything must be loaded anew: what was missed is told as updates, which leave the view alone. */
  follow(update: (bar: Bar) => void, reset: () => void): void {
    this.unfollow();
    const follower = { update, reset };
    this.#leave = this.#deps.subscribe(
      (candle) => this.#receive(candle, follower),
      () => void this.#readMissed(follower),
    );
    this.#followClock(follower);
  }

  unfollow(): void {
    this.#leave?.();
    this.#callOff?.();
    this.#stopLine?.();
    this.#stopRetry?.();
    this.#leave = this.#callOff = this.#stopLine = this.#stopRetry = this.#missed = null;
    this.#waiting = new Map();
  }

  stop(): void {
    this.#abort.abort();
    this.unfollow();
  }

  #receive(candle: ChannelData<'candles'>, follower: Follower): void {
    if (!candle.closed && this.#last !== null && candle.t < this.#last.timestamp) {
      this.#mayContinue = false;
      follower.reset();
      return;
    }
    const before = this.#lastClose;
    if (before === null || candle.t >= before.t) {
      this.#lastClose = candle;
      this.#beforeLast = before?.t ?? null;
    }
    this.#missed?.told.push(candle);
    if (before !== null && candle.t > before.t && candle.o !== before.c) {
      if (this.#deps.nowMs() - this.#rereadAtMs >= REREAD_EVERY_MS) void this.#readMissed(follower);
    }
    this.#continueLine(candle.t - this.#deps.stepMs);
    const bar = barOf(candle, this.#deps.scale, openOf(candle.t, this.#last));
    if (bar) this.#take(bar);
    this.#updateLater(follower);
  }

  async #readMissed(follower: Follower): Promise<void> {
    if (this.#last === null || this.#beforeLast === null) return follower.reset();
    const fromMs = Math.min(this.#beforeLast, this.#missed?.fromMs ?? Infinity);
    const missed = { fromMs, told: [] as Candle[] };
    this.#missed = missed;
    // This reading takes the place of one that was put off.
    this.#stopRetry?.();
    this.#stopRetry = null;
    this.#rereadAtMs = this.#deps.nowMs();
    try {
      const page = await this.#deps.load(null, this.#abort.signal);
      // More was missed meanwhile and is asked for, or nobody follows any more.
      if (this.#missed !== missed) return;
      this.#missed = null;
      if (page.length === 0 || page[0]!.t > fromMs) follower.reset();
      else this.#replaceFrom(fromMs, mergeCandles(page, missed.told), follower);
    } catch {
      if (this.#missed !== missed) return;
      this.#stopRetry = this.#deps.setTimer(() => void this.#readMissed(follower), RETRY_MS);
    }
  }

  #replaceFrom(fromMs: number, candles: readonly Candle[], follower: Follower): void {
    const drawnUntil = this.#last!.timestamp;
    const bars = barsOf(candles, this.#deps.scale).filter(({ timestamp }) => timestamp >= fromMs);
    this.#last = bars[0] ?? this.#last;
    for (const bar of bars) this.#take(bar);
    this.#lastClose = candles.at(-1)!;
    this.#beforeLast = candles.at(-2)?.t ?? null;
    // What the clock has drawn beyond them went on from where they were missing.
    this.#continueLine(drawnUntil);
    this.#updateLater(follower);
  }

  /** Fills what this device's clock says has passed without trades, again and again. */
  #followClock(follower: Follower): void {
    if (this.#last === null || !this.#mayContinue) return;
    const { nowMs, setTimer, stepMs } = this.#deps;
    this.#continueLine(nowMs() - TOLD_WITHIN_MS);
    this.#updateLater(follower);
    const nextMs = this.#last.timestamp + stepMs + TOLD_WITHIN_MS;
    this.#stopLine = setTimer(() => this.#followClock(follower), nextMs - nowMs());
  }

  /** New intervals without trades, as the server would tell them: the pool's price stays where it was. */
  #continueLine(untilMs: number): void {
    const { stepMs } = this.#deps;
    for (let bars = 0; bars < BARS_PER_PAGE; bars += 1) {
      if (this.#last === null || this.#last.timestamp + stepMs > untilMs) return;
      const { timestamp, close } = this.#last;
      const flat = { open: close, high: close, low: close, close, volume: 0, turnover: 0 };
      this.#take({ timestamp: timestamp + stepMs, ...flat });
    }
  }

  #take(bar: Bar): void {
    this.#waiting.set(bar.timestamp, bar);
    if (this.#last === null || bar.timestamp >= this.#last.timestamp) this.#last = bar;
  }

  #updateLater(follower: Follower): void {
    if (this.#waiting.size > 0) this.#callOff ??= this.#deps.atNextBeat(() => this.#update(follower));
  }

  #update({ update, reset }: Follower): void {
    this.#callOff = null;
    const bars = [...this.#waiting.values()].toSorted((a, b) => a.timestamp - b.timestamp);
    this.#waiting = new Map();
    // Each of them would be drawn; after a long time out of sight one page is sooner there.
    if (bars.length > BARS_PER_PAGE) return reset();
    for (const bar of bars) update(bar);
  }
}

/** Where a bar of that time opens; null where the bar before it is not at hand. */
function openOf(timestamp: number, last: Bar | null): number | null {
  if (last === null || last.timestamp > timestamp) return null;
  return last.timestamp === timestamp ? last.open : last.close;
}

/** What was read, and what was told since it was asked for: that is newer. Oldest first. */
export function mergeCandles(page: readonly Candle[], told: readonly Candle[]): Candle[] {
  const newest = new Map([...page, ...told].map((candle) => [candle.t, candle]));
  return [...newest.values()].toSorted((a, b) => a.t - b.t);
}
