import type { Sql } from '../../platform/postgres.ts';

/** Younger than this the chart shows every minute; older points are one per hour. */
const EVERY_MINUTE_MS = 8 * 86_400_000;
const HOUR_MS = 3_600_000;

/**
 * Keeps the last point of each hour of the past, the first of all, where every line begins, and those that the drawdown is computed
 * from. Trades and flows keep their NAV in the record. Only what has grown old since `thinnedAtMs` is looked at; without it, everything.
 */
export async function thinPoints(sql: Sql, nowMs: number, thinnedAtMs: number | null): Promise<void> {
  const fromMs = thinnedAtMs === null ? 0 : Math.floor((thinnedAtMs - EVERY_MINUTE_MS) / HOUR_MS) * HOUR_MS;
  await sql.write(
    `delete from nav_point p using strategy s join strategy_stats t on t.strategy_id = s.id
     where p.strategy_id = s.id and (s.ended_at is null or s.ended_at >= $1) and p.at >= $1 and p.at < $2
       and exists (select 1 from nav_point q where q.strategy_id = p.strategy_id and (q.at, q.id) > (p.at, p.id)
         and q.at < date_trunc('hour', p.at) + interval '1 hour')
       -- A strategy that holds nothing but SOL stands at such a value for as long as it rests; the first of them says it.
       and exists (select 1 from (select q.nav from nav_point q where q.strategy_id = p.strategy_id and (q.at, q.id) < (p.at, p.id)
                                  order by q.at desc, q.id desc limit 1) before
         where p.nav not in (t.peak, t.worst_peak, t.worst_low) or p.nav = before.nav)`,
    [new Date(fromMs), new Date(nowMs - EVERY_MINUTE_MS)],
  );
}
