/**
 * Runs at most `running` tasks at a time and one of each account; those that wait take turns by account. Beyond `waiting` of all, or
 * `waitingEach` of one account, it refuses: whoever asks for many at once keeps others waiting for one of his.
 */
export class FairLimit {
  readonly #max: { running: number; waiting: number; waitingEach: number };
  readonly #running = new Set<string>();
  /** By account, in the order of their turns. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #waitingCount = 0;

  constructor(max: { running: number; waiting: number; waitingEach: number }) {
    this.#max = max;
  }

  /** Null where too many wait and `task` was not run. */
  async run<T>(account: string, task: () => Promise<T>): Promise<{ value: T } | null> {
    if (this.#running.size < this.#max.running && !this.#running.has(account)) this.#running.add(account);
    else {
      const own = this.#waiting.get(account) ?? [];
      if (own.length >= this.#max.waitingEach || this.#waitingCount >= this.#max.waiting) return null;
      this.#waiting.set(account, own);
      this.#waitingCount += 1;
      // The place is handed over by the one that ends, so nobody can slip in between.
      await new Promise<void>((resolve) => own.push(resolve));
    }
    try {
      return { value: await task() };
    } finally {
      this.#running.delete(account);
      this.#startNext();
    }
  }

  #startNext(): void {
    for (const [account, own] of this.#waiting) {
      if (this.#running.has(account)) continue;
      // Its others come after everybody else's.
      this.#waiting.delete(account);
      const start = own.shift()!;
      if (own.length > 0) this.#waiting.set(account, own);
      this.#waitingCount -= 1;
      this.#running.add(account);
      start();
      return;
    }
  }
}
