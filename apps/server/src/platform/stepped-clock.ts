import type { Clock } from './clock.ts';

type Pause = { readonly atMs: number; readonly resolve: () => void };

/** Time that moves in the steps it is told. */
export class SteppedClock implements Clock {
  readonly #pauses = new Set<Pause>();
  #nowMs: number;

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  pause(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const end = (): void => {
        this.#pauses.delete(pause);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const pause = { atMs: this.#nowMs + ms, resolve: end };
      this.#pauses.add(pause);
      signal?.addEventListener('abort', end, { once: true });
    });
  }

  /** Ends the pauses that are over by then, the earliest first. */
  moveTo(nowMs: number): void {
    this.#nowMs = Math.max(this.#nowMs, nowMs);
    const over = [...this.#pauses].filter(({ atMs }) => atMs <= this.#nowMs).sort((a, b) => a.atMs - b.atMs);
    for (const { resolve } of over) resolve();
  }

  /** Ends all pauses: nobody moves this clock any more. */
  close(): void {
    for (const { resolve } of this.#pauses) resolve();
  }
}
