import { createHash } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import type { Sql } from '../platform/postgres.ts';

const FREE_FAILURES = 5;
const PAUSE_MAX_SECONDS = 60;
const FORGOTTEN_AFTER_SECONDS = 15 * 60;

type ThrottleOptions = { sql: Sql; clock: Clock; name: string; freeFailures?: number };

/**
 * Slows guessing down: after a few failures every further one doubles the pause. Counted in the database, so that more servers give
 * no more tries, and by hashed text keys, so an address without an account is slowed exactly like one with an account.
 */
export class LoginThrottle {
  readonly #options: ThrottleOptions;
  readonly #freeFailures: number;

  constructor(options: ThrottleOptions) {
    this.#options = options;
    this.#freeFailures = options.freeFailures ?? FREE_FAILURES;
  }

  /**
   * Zero when a try may go ahead, otherwise after how many seconds. A try counts as failed from here on, in the same statement, so
   * that many at once cannot all slip through before the first has failed.
   */
  async begin(key: string): Promise<number> {
    const { sql, clock } = this.#options;
    const [row] = await sql.write<{ pause: number }>(
      `with counted as (
         insert into login_failure as f (key, count, last_at) values ($1, 1, $2)
         on conflict (key) do update set last_at = excluded.last_at,
           count = case when f.last_at < excluded.last_at - make_interval(secs => $4) then 1 else least(f.count + 1, 1000) end
         where f.last_at < excluded.last_at - make_interval(secs => $4) or f.count < $3
           or f.last_at + make_interval(secs => least($5, 2 ^ least(f.count - $3, 10))) <= excluded.last_at
         returning 1)
       select case when exists (select 1 from counted) then 0
         else coalesce((select greatest(1, ceil(extract(epoch from
                f.last_at + make_interval(secs => least($5, 2 ^ least(f.count - $3, 10))) - $2::timestamptz)))
              from login_failure f where f.key = $1), 1) end::int as pause`,
      [this.#hash(key), new Date(clock.nowMs()), this.#freeFailures, FORGOTTEN_AFTER_SECONDS, PAUSE_MAX_SECONDS],
    );
    return row!.pause;
  }

  async succeeded(key: string): Promise<void> {
    await this.#options.sql.write(`delete from login_failure where key = $1`, [this.#hash(key)]);
  }

  /** Takes one try back and forgives no other: for keys that others share, as the people behind one network address do. */
  async takeBack(key: string): Promise<void> {
    await this.#options.sql.write(`update login_failure set count = greatest(0, count - 1) where key = $1`, [
      this.#hash(key),
    ]);
  }

  async removeOld(): Promise<void> {
    const { sql, clock } = this.#options;
    await sql.write(`delete from login_failure where last_at < $1::timestamptz - make_interval(secs => $2)`, [
      new Date(clock.nowMs()),
      FORGOTTEN_AFTER_SECONDS,
    ]);
  }

  #hash(key: string): Buffer {
    return createHash('sha256').update(`${this.#options.name}\n${key}`).digest();
  }
}

/** A try that must pass several throttles counts for all of them or for none; zero where it may go ahead. */
export async function beginAll(tries: readonly { throttle: LoginThrottle; key: string }[]): Promise<number> {
  const begun: { throttle: LoginThrottle; key: string }[] = [];
  for (const one of tries) {
    const pause = await one.throttle.begin(one.key);
    if (pause > 0) {
      for (const { throttle, key } of begun) await throttle.takeBack(key);
      return pause;
    }
    begun.push(one);
  }
  return 0;
}
