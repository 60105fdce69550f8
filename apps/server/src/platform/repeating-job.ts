import type { Log } from './log.ts';

/**
 * Does the same work again and again, one run at a time. A run that fails is logged and the next one comes in its time;
 * stopping waits for the run that is under way.
 */
export class RepeatingJob {
  readonly #work: () => Promise<unknown>;
  readonly #everyMs: number;
  readonly #restFactor: number;
  readonly #failed: string;
  readonly #log: Log;
  #timer: NodeJS.Timeout | null = null;
  #running: Promise<void> = Promise.resolve();
  #started = false;

  constructor(parts: {
    work: () => Promise<unknown>;
    /** The pause between the end of a run and the next. */
    everyMs: number;
    /** At least this many times as long as a run took is rested after it, so that slow work leaves room for other work. */
    restFactor?: number;
    /** What to say in the log of a run that failed. */
    failed: string;
    log: Log;
  }) {
    this.#work = parts.work;
    this.#everyMs = parts.everyMs;
    this.#restFactor = parts.restFactor ?? 0;
    this.#failed = parts.failed;
    this.#log = parts.log;
  }

  start(): void {
    if (this.#started) return;
    this.#started = true;
    this.#wait(this.#everyMs);
  }

  async stop(): Promise<void> {
    this.#started = false;
    if (this.#timer) clearTimeout(this.#timer);
    await this.#running;
  }

  #wait(ms: number): void {
    this.#timer = setTimeout(() => {
      this.#running = this.#run();
    }, ms);
  }

  async #run(): Promise<void> {
    const startedMs = performance.now();
    try {
      await this.#work();
    } catch (error) {
      this.#log.warn({ error: (error as Error).message }, this.#failed);
    }
    if (this.#started) this.#wait(Math.max(this.#everyMs, (performance.now() - startedMs) * this.#restFactor));
  }
}
