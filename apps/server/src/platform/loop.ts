import { channel } from 'node:diagnostics_channel';
import { stopwatch, type Clock } from './clock.ts';
import type { Log } from './log.ts';

/** One message per run of any loop, for whoever counts them; a channel, so that no area has to pass an observer on. */
export const loopRuns = channel('hunter:loop');
export type LoopRun = { readonly loop: string; readonly durationMs: number; readonly failed: boolean };

export type LoopOptions<T> = {
  /** A noun that begins the log line of a failed run, such as "order recovery", and labels the loop's metrics. */
  readonly name: string;
  /** `signal` aborts when the loop is being stopped. */
  readonly work: (signal: AbortSignal) => Promise<T>;
  /** The pause between the end of a run and the next, or how long it is after a run with this result; null ends the loop. */
  readonly everyMs: number | ((result: T) => number | null);
  /** The pause before the first run; without it the first run begins at once. */
  readonly firstAfterMs?: number;
  /** Pauses at least this many times as long as the run took, so that slow work leaves room for other work. */
  readonly restFactor?: number;
  /** The pauses after failed runs double from `first` to `max`, or are as the failure asks for. */
  readonly retryMs?: Retry | ((error: unknown) => Retry);
  readonly clock: Clock;
  readonly log: Log;
};

type Retry = { readonly first: number; readonly max: number };

const RETRY_MS = { first: 1_000, max: 30_000 };

/**
 * Does the same work again and again, one run at a time. `wake` ends the pause, or has the next run follow the present one
 * without a pause; the pause after a failed run stays, so that waking cannot turn a failure into a busy loop. `stop` waits
 * for the run under way.
 */
export class Loop<T = void> {
  readonly #options: LoopOptions<T>;
  #stop = new AbortController();
  #pause: AbortController | null = null;
  #running: Promise<void> | null = null;
  #isWoken = false;
  #failures = 0;

  constructor(options: LoopOptions<T>) {
    this.#options = options;
  }

  start(): void {
    if (this.#running) return;
    this.#stop = new AbortController();
    this.#running = this.#go(this.#stop.signal);
  }

  wake(): void {
    this.#isWoken = true;
    if (this.#failures === 0) this.#pause?.abort();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#pause?.abort();
    await this.#running;
    this.#running = null;
  }

  async #go(stopped: AbortSignal): Promise<void> {
    if (this.#options.firstAfterMs) await this.#wait(this.#options.firstAfterMs, stopped);
    while (!stopped.aborted) {
      this.#isWoken = false;
      const pauseMs = await this.#run(stopped);
      if (pauseMs === null) return;
      await this.#wait(pauseMs, stopped);
    }
  }

  /** Answers how long to pause after it, null for ever. */
  async #run(stopped: AbortSignal): Promise<number | null> {
    const { name, work, everyMs, restFactor = 0, retryMs = RETRY_MS, log } = this.#options;
    const elapsedMs = stopwatch();
    let pauseMs: number | null;
    try {
      const result = await work(stopped);
      this.#failures = 0;
      pauseMs = typeof everyMs === 'number' ? everyMs : everyMs(result);
    } catch (error) {
      const { first, max } = typeof retryMs === 'function' ? retryMs(error) : retryMs;
      pauseMs = Math.min(max, first * 2 ** this.#failures);
      this.#failures += 1;
      const next = stopped.aborted ? 'not retrying, because it is being stopped' : `retrying in ${printPause(pauseMs)}`;
      log.warn({ loop: name, err: error }, `${name} failed; ${next}`);
    }
    const durationMs = elapsedMs();
    loopRuns.publish({ loop: name, durationMs, failed: this.#failures > 0 } satisfies LoopRun);
    return pauseMs === null ? null : Math.max(pauseMs, durationMs * restFactor);
  }

  async #wait(ms: number, stopped: AbortSignal): Promise<void> {
    if (ms <= 0 || stopped.aborted || (this.#isWoken && this.#failures === 0)) return;
    this.#pause = new AbortController();
    await this.#options.clock.pause(ms, this.#pause.signal);
    this.#pause = null;
  }
}

function printPause(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${Math.round(ms / 1_000)} s`;
}
