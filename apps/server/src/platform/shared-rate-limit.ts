import { createHash } from 'node:crypto';
import type { Clock } from './clock.ts';
import type { Sql } from './postgres.ts';

type SharedRateLimitOptions = { sql: Sql; clock: Pick<Clock, 'nowMs'>; name: string; perSecond: number; burst: number };

/** Token buckets that all servers of a database share: `perSecond` in the long run, bursts of `burst`. For what is rare. */
export class SharedRateLimit {
  readonly #options: SharedRateLimitOptions;

  constructor(options: SharedRateLimitOptions) {
    this.#options = options;
  }

  /** Zero when the request may pass, otherwise after how many seconds to come back. */
  async take(key: string): Promise<number> {
    const { sql, clock, name, perSecond, burst } = this.#options;
    const [row] = await sql.write<{ wait: number }>(
      `with taken as (
         insert into shared_rate as r (key, tokens, at) values ($1, $4::float8 - 1, $2)
         on conflict (key) do update set at = excluded.at,
           tokens = least($4, r.tokens + greatest(0, extract(epoch from excluded.at - r.at)) * $3) - 1
         where least($4, r.tokens + greatest(0, extract(epoch from excluded.at - r.at)) * $3) >= 1
         returning 1)
       select case when exists (select 1 from taken) then 0
         else coalesce((select greatest(1, ceil((1 - r.tokens) / $3 - extract(epoch from $2::timestamptz - r.at)))
              from shared_rate r where r.key = $1), 1) end::int as wait`,
      [createHash('sha256').update(`${name}\n${key}`).digest(), new Date(clock.nowMs()), perSecond, burst],
    );
    return row!.wait;
  }
}

/** Buckets that are full again by now. */
export async function removeOldRates(sql: Sql, nowMs: number): Promise<void> {
  await sql.write(`delete from shared_rate where at < $1::timestamptz - interval '1 day'`, [new Date(nowMs)]);
}
