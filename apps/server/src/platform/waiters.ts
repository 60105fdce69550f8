import type { Clock } from './clock.ts';

/** Lets callers wait until something with an id changes in this process, or until a time is over. */
export class Waiters {
  readonly #clock: Clock;
  readonly #byId = new Map<string, Set<AbortController>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Until one of them changes, at most for this long. */
  async next(ids: readonly string[], waitMs: number): Promise<void> {
    const waiter = new AbortController();
    for (const id of ids) {
      const same = this.#byId.get(id);
      if (same) same.add(waiter);
      else this.#byId.set(id, new Set([waiter]));
    }
    await this.#clock.pause(waitMs, waiter.signal);
    for (const id of ids) {
      const same = this.#byId.get(id)!;
      same.delete(waiter);
      if (same.size === 0) this.#byId.delete(id);
    }
  }

  changed(id: string): void {
    for (const waiter of this.#byId.get(id) ?? []) waiter.abort();
  }

  stop(): void {
    for (const id of this.#byId.keys()) this.changed(id);
  }
}
