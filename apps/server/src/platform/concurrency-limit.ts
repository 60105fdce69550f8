/** Runs at most `running` tasks at a time; beyond `waiting` queued ones it refuses instead of growing. */
export class ConcurrencyLimit {
  readonly #runningMax: number;
  readonly #waitingMax: number;
  readonly #queue: (() => void)[] = [];
  #running = 0;

  constructor(runningMax: number, waitingMax: number) {
    this.#runningMax = runningMax;
    this.#waitingMax = waitingMax;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  /** Null when the queue is full and `task` was not run. */
  async run<T>(task: () => Promise<T>): Promise<{ value: T } | null> {
    if (this.#running >= this.#runningMax) {
      if (this.#queue.length >= this.#waitingMax) return null;
      // The slot is handed over by the one that ends, so nobody can slip in between.
      await new Promise<void>((resolve) => this.#queue.push(resolve));
    } else {
      this.#running += 1;
    }
    try {
      return { value: await task() };
    } finally {
      const next = this.#queue.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
