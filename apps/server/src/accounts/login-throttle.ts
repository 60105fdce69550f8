import type { Clock } from '../platform/clock.ts';

const FREE_FAILURES = 5;
const PAUSE_MAX_SECONDS = 60;
const FORGOTTEN_AFTER_MS = 15 * 60_000;
const ENTRIES_MAX = 50_000;

type Failures = { count: number; lastMs: number };

/**
 * Slows guessing down: after a few failures every further one doubles the pause. Counted by text keys, so an address
 * without an account is slowed exactly like one with an account.
 */
export class LoginThrottle {
  readonly #clock: Clock;
  readonly #freeFailures: number;
  readonly #failures = new Map<string, Failures>();

  constructor(clock: Clock, freeFailures = FREE_FAILURES) {
    this.#clock = clock;
    this.#freeFailures = freeFailures;
  }

  /** Zero when a try may go ahead, otherwise after how many seconds. */
  pauseSeconds(key: string): number {
    const failures = this.#current(key);
    if (!failures || failures.count < this.#freeFailures) return 0;
    const pauseMs = Math.min(PAUSE_MAX_SECONDS, 2 ** (failures.count - this.#freeFailures)) * 1000;
    return Math.max(0, Math.ceil((failures.lastMs + pauseMs - this.#clock.nowMs()) / 1000));
  }

  failed(key: string): void {
    const count = Math.min((this.#current(key)?.count ?? 0) + 1, 1000);
    this.#failures.delete(key);
    if (this.#failures.size >= ENTRIES_MAX) {
      const oldest = this.#failures.keys().next();
      if (!oldest.done) this.#failures.delete(oldest.value);
    }
    this.#failures.set(key, { count, lastMs: this.#clock.nowMs() });
  }

  succeeded(key: string): void {
    this.#failures.delete(key);
  }

  /** Takes one try back and forgives no other: for keys that others share, as the people behind one network address do. */
  takeBack(key: string): void {
    const failures = this.#current(key);
    if (!failures) return;
    if (failures.count <= 1) this.#failures.delete(key);
    else failures.count -= 1;
  }

  #current(key: string): Failures | undefined {
    const failures = this.#failures.get(key);
    if (failures && this.#clock.nowMs() - failures.lastMs > FORGOTTEN_AFTER_MS) {
      this.#failures.delete(key);
      return undefined;
    }
    return failures;
  }
}
