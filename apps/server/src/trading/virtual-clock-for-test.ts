import type { Pacer } from './engine-ports.ts';

type Timer = { atMs: number; order: number; resolve: () => void };

const START_MS = 1_800_000_000_000;

/**
 * Time that passes only while nobody works: as soon as nothing is left to do at this moment it jumps to the next one that
 * somebody waits for. Ten simulated minutes then take as long as the work in them, and the same choices give the same run.
 */
export class VirtualClock implements Pacer {
  readonly #timers: Timer[] = [];
  #nowMs = START_MS;
  #order = 0;
  #working = 0;
  #scheduled = false;
  #closed = false;

  nowMs(): number {
    return this.#nowMs;
  }

  elapsedMs(): number {
    return this.#nowMs - START_MS;
  }

  pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#order += 1;
      this.#timers.push({ atMs: this.#nowMs + Math.max(0, ms), order: this.#order, resolve });
      this.#schedule();
    });
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
    // Everything that can go on at this moment has gone on when the event loop comes round.
    setImmediate(() => {
      this.#scheduled = false;
      this.#jump();
    });
  }

  #jump(): void {
    if (this.#closed || this.#working > 0 || this.#timers.length === 0) return;
    let next = this.#timers[0]!;
    for (const timer of this.#timers) {
      if (timer.atMs < next.atMs || (timer.atMs === next.atMs && timer.order < next.order)) next = timer;
    }
    this.#timers.splice(this.#timers.indexOf(next), 1);
    this.#nowMs = Math.max(this.#nowMs, next.atMs);
    next.resolve();
    this.#schedule();
  }
}
