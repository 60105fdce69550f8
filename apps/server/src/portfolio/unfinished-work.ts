import type { Sql } from '../platform/postgres.ts';
import { OPEN_ORDER_STATES } from '../trading/order.ts';

/** Whether anybody has published a strategy yet. */
export async function hasStrategies(sql: Sql): Promise<boolean> {
  const [row] = await sql.query<{ exists: boolean }>(`select exists (select 1 from strategy) as exists`);
  return row!.exists;
}

/** What has begun and would go on now: orders, transfers, strategies and follows on their way in or out, and their effects. */
export async function countUnfinished(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `select ((select count(*) from trade_order where state in ${OPEN_ORDER_STATES})
       + (select count(*) from transfer where state in ('held', 'sent') and (retry_at is null or retry_at <= now()))
       + (select count(*) from strategy where status in ('publishing', 'ending') and not is_earlier)
       + (select count(*) from follow f join strategy s on s.id = f.strategy_id where not s.is_earlier
           and (f.status in ('opening', 'closing') or (s.status = 'running' and f.join_at <= now() and f.join_until > now())))
       + (select count(*) from outbox where done_at is null and failed_at is null and available_at <= now()))::int as count`,
  );
  return row!.count;
}
