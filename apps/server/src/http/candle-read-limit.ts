import { AppError } from '@hunter/contract/app-error';
import type { Clock } from '../platform/clock.ts';
import { ConcurrencyLimit } from '../platform/concurrency-limit.ts';
import { networkOf } from '../platform/network-of.ts';
import { RateLimit } from '../platform/rate-limit.ts';
import type { Caller } from './handlers.ts';

const PER_SECOND = 20;
const BURST_SECONDS = 10;
const AT_ONCE = 4;
const WAITING_MAX = 1_000;

/**
 * Candles that are not in memory cost a read of the database, and displace what others look at: each caller has a share of
 * them, and all together never have more than some of the connections.
 */
export class CandleReadLimit {
  readonly #perCaller: RateLimit;
  readonly #together = new ConcurrencyLimit(AT_ONCE, WAITING_MAX);

  constructor(clock: Clock, perSecond: number = PER_SECOND) {
    this.#perCaller = new RateLimit(clock, perSecond, perSecond * BURST_SECONDS);
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
