import { AppError } from '@hunter/contract/app-error';
import type { Clock } from '../platform/clock.ts';
import { ConcurrencyLimit } from '../platform/concurrency-limit.ts';
import { networkOf } from '../platform/network-of.ts';
import { RateLimit } from '../platform/rate-limit.ts';
import type { Caller } from './handlers.ts';

const BURST_SECONDS = 10;

/** Reads that cost so much that each caller has a share of them, and all together never run more than some at once. */
export class CallerReadLimit {
  readonly #perCaller: RateLimit;
  readonly #together: ConcurrencyLimit;

  constructor(clock: Clock, { perSecond, atOnce, waiting }: { perSecond: number; atOnce: number; waiting: number }) {
    this.#perCaller = new RateLimit(clock, perSecond, perSecond * BURST_SECONDS);
    this.#together = new ConcurrencyLimit(atOnce, waiting);
  }

  async run<T>(caller: Pick<Caller, 'session' | 'address'>, read: () => Promise<T>): Promise<T> {
    const who = caller.session === null ? networkOf(caller.address) : caller.session.userId;
    const retryAfterSeconds = this.#perCaller.take(who);
    if (retryAfterSeconds > 0) throw new AppError('RATE_LIMITED', { retryAfterSeconds });
    const answer = await this.#together.run(read);
    if (answer === null) throw new AppError('RATE_LIMITED', { retryAfterSeconds: 1 });
    return answer.value;
  }
}
