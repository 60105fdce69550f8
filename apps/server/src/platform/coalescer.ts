type Waiting<Item, Result> = { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void };

/**
 * Turns many callers into few batches: whoever comes while a batch is under way joins the next one, so a lone caller waits
 * for nobody and a crowd shares one statement. A batch that fails as a whole is run again one by one, so that one bad
 * item fails alone.
 */
export class Coalescer<Item, Result> {
  readonly #run: (items: Item[]) => Promise<Result[]>;
  readonly #batchMax: number;
  readonly #parallelMax: number;
  readonly #queue: Waiting<Item, Result>[] = [];
  #running = 0;

  constructor(run: (items: Item[]) => Promise<Result[]>, options: { batchMax: number; parallelMax: number }) {
    this.#run = run;
    this.#batchMax = options.batchMax;
    this.#parallelMax = options.parallelMax;
  }

  submit(item: Item): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#queue.push({ item, resolve, reject });
    // The rest of this turn of the event loop may bring more.
    queueMicrotask(() => this.#start());
    return promise;
  }

  #start(): void {
    while (this.#running < this.#parallelMax && this.#queue.length > 0) {
      this.#running += 1;
      void this.#batch(this.#queue.splice(0, this.#batchMax)).finally(() => {
        this.#running -= 1;
        this.#start();
      });
    }
  }

  async #batch(entries: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.#run(entries.map((entry) => entry.item));
      entries.forEach((entry, index) => entry.resolve(results[index]!));
    } catch (error) {
      if (entries.length === 1) return entries[0]!.reject(error);
      for (const entry of entries) await this.#batch([entry]);
    }
  }
}
