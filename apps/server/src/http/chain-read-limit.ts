import { AppError } from '@hunter/contract/app-error';
import type { Clock } from '../platform/clock.ts';
import { ConcurrencyLimit } from '../platform/concurrency-limit.ts';
import { networkOf } from '../platform/network-of.ts';
import { RateLimit } from '../platform/rate-limit.ts';

const CALLS_PER_SECOND = 200;
const CALLS_BURST = 5_000;
const AT_ONCE = 4;
const WAITING_MAX = 64;

/** What visitors may ask of the node: verifiers and the explorer together, each network by itself. */
export class ChainReadLimit {
  readonly #perNetwork: RateLimit;
  readonly #together = new ConcurrencyLimit(AT_ONCE, WAITING_MAX);

  constructor(clock: Clock) {
    this.#perNetwork = new RateLimit(clock, CALLS_PER_SECOND, CALLS_BURST);
  }

  /** `cost` counts the calls of the node. */
  async run<T>(address: string, cost: number, read: () => Promise<T>): Promise<T> {
    const retryAfterSeconds = this.#perNetwork.take(networkOf(address), cost);
    if (retryAfterSeconds > 0) throw new AppError('RATE_LIMITED', { retryAfterSeconds });
    const answer = await this.#together.run(read);
    if (answer === null) throw new AppError('RATE_LIMITED', { retryAfterSeconds: 1 });
    return answer.value;
  }
}
