import type { Clock } from './clock.ts';

type Timer = { atMs: number; order: number; resolve: () => void };

const START_MS = 1_800_000_000_000;

/** The pauses that somebody waits for, earliest first; of equal ones the one that was asked for first. */
class Timers {
  readonly #timers = new Set<Timer>();
  #order = 0;

  add(atMs: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      this.#order += 1;
      const timer = { atMs, order: this.#order, resolve };
      this.#timers.add(timer);
      const abort = () => {
        if (this.#timers.delete(timer)) resolve();
      };
      signal?.addEventListener('abort', abort, { once: true });
    });
  }

  get count(): number {
    return this.#timers.size;
  }

  takeFirst(untilMs = Infinity): Timer | null {
    let first: Timer | null = null;
    for (const timer of this.#timers) {
      if (timer.atMs > untilMs) continue;
      if (!first || timer.atMs < first.atMs || (timer.atMs === first.atMs && timer.order < first.order)) first = timer;
    }
    if (first) this.#timers.delete(first);
    return first;
  }
}

/** Time that passes only when the test says so. */
export class ManualClock implements Clock {
  readonly #timers = new Timers();
  #nowMs: number;

  constructor(nowMs = START_MS) {
    this.#nowMs = nowMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  pause(ms: number, signal?: AbortSignal): Promise<void> {
    return this.#timers.add(this.#nowMs + Math.max(0, ms), signal);
  }

  /** How many wait for time to pass. */
  get waiting(): number {
    return this.#timers.count;
  }

  /** Lets time pass; whoever waited for a moment within it goes on at that moment, before later ones do. */
  async advance(ms: number): Promise<void> {
    const untilMs = this.#nowMs + ms;
    await settled();
    for (let timer = this.#timers.takeFirst(untilMs); timer; timer = this.#timers.takeFirst(untilMs)) {
      this.#nowMs = Math.max(this.#nowMs, timer.atMs);
      timer.resolve();
      await settled();
    }
    this.#nowMs = untilMs;
  }
}

/** Everything that can go on without time passing or I/O has gone on when the event loop comes round. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/**
 * Time that passes only while nobody works: as soon as nothing is left to do at this moment it jumps to the next one that
 * somebody waits for. Ten simulated minutes then take as long as the work in them, and the same choices give the same run.
 */
export class VirtualClock implements Clock {
  readonly #timers = new Timers();
  #nowMs = START_MS;
  #working = 0;
  #scheduled = false;
  #closed = false;

  nowMs(): number {
    return this.#nowMs;
  }

  elapsedMs(): number {
    return this.#nowMs - START_MS;
  }

  pause(ms: number, signal?: AbortSignal): Promise<void> {
    const passed = this.#timers.add(this.#nowMs + Math.max(0, ms), signal);
    this.#schedule();
    return passed;
  }

  /** Time stands still until `work` is done: for what the outside world really takes time for. */
  async still<T>(work: () => Promise<T>): Promise<T> {
    this.#working += 1;
    try {
      return await work();
    } finally {
      this.#working -= 1;
      this.#schedule();
    }
  }

  close(): void {
    this.#closed = true;
  }

  #schedule(): void {
    if (this.#scheduled || this.#closed) return;
    this.#scheduled = true;
    void settled().then(() => {
      this.#scheduled = false;
      this.#jump();
    });
  }

  #jump(): void {
    if (this.#closed || this.#working > 0) return;
    const next = this.#timers.takeFirst();
    if (!next) return;
    this.#nowMs = Math.max(this.#nowMs, next.atMs);
    next.resolve();
    this.#schedule();
  }
}
