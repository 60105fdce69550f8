/** Work that several may ask for at once and that must run once: whoever comes later waits for the one that runs. */
export class SharedWork {
  readonly #running = new Map<string, Promise<void>>();

  run(key: string, work: () => Promise<void>): Promise<void> {
    const before = this.#running.get(key);
    if (before) return before;
    const running = work().finally(() => this.#running.delete(key));
    this.#running.set(key, running);
    return running;
  }

  isRunning(key: string): boolean {
    return this.#running.has(key);
  }

  /** Everything under way, ended one way or the other. */
  async idle(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }
}
