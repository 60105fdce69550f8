import type { Clock } from './clock.ts';

type Bucket = { tokens: number; refilledAtMs: number };

/** Entries beyond this many are dropped oldest first, so that many addresses cannot fill the memory. */
const BUCKETS_MAX = 50_000;

/** Token buckets: `perSecond` in the long run, bursts of `burst`. */
export class RateLimit {
  readonly #clock: Clock;
  readonly #perSecond: number;
  readonly #burst: number;
  readonly #buckets = new Map<string, Bucket>();
  #taken: Map<string, number> | null = null;

  constructor(clock: Clock, perSecond: number, burst: number) {
    this.#clock = clock;
    this.#perSecond = perSecond;
    this.#burst = burst;
  }

  /** Zero when the request may pass, otherwise after how many seconds to come back. */
  take(key: string, cost = 1): number {
    const bucket = this.#refilled(key);
    if (bucket.tokens >= cost) {
      bucket.tokens -= cost;
      this.#taken?.set(key, (this.#taken.get(key) ?? 0) + cost);
      return 0;
    }
    return Math.max(1, Math.ceil((cost - bucket.tokens) / this.#perSecond));
  }

  /** What passed since the last call, by key; it is counted from the first call on. */
  takenSince(): ReadonlyMap<string, number> {
    const taken = this.#taken ?? new Map<string, number>();
    this.#taken = new Map();
    return taken;
  }

  /** As much passed elsewhere. */
  spend(key: string, cost: number): void {
    const bucket = this.#refilled(key);
    bucket.tokens = Math.max(-this.#burst, bucket.tokens - cost);
  }

  #refilled(key: string): Bucket {
    const nowMs = this.#clock.nowMs();
    let bucket = this.#buckets.get(key);
    if (!bucket) {
      if (this.#buckets.size >= BUCKETS_MAX) {
        const oldest = this.#buckets.keys().next();
        if (!oldest.done) this.#buckets.delete(oldest.value);
      }
      bucket = { tokens: this.#burst, refilledAtMs: nowMs };
      this.#buckets.set(key, bucket);
    }
    const elapsedSeconds = Math.max(0, nowMs - bucket.refilledAtMs) / 1000;
    bucket.tokens = Math.min(this.#burst, bucket.tokens + elapsedSeconds * this.#perSecond);
    bucket.refilledAtMs = nowMs;
    return bucket;
  }
}
