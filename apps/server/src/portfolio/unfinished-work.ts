import type { Sql } from '../platform/postgres.ts';
import { OPEN_ORDER_STATES } from '../trading/order.ts';

/** Whether anybody has published a strategy yet. */
export async function hasStrategies(sql: Sql): Promise<boolean> {
  const [row] = await sql.query<{ exists: boolean }>(`select exists (select 1 from strategy) as exists`);
  return row!.exists;
}

/**
 * What has begun and would go on now: orders, transfers, strategies and follows on their way in or out, and their effects. Not what
 * waits for a time of its own, such as a return that the signer holds for an hour.
 */
export async function countUnfinished(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `with later as (select id, wallet_id from transfer where state = 'held' and retry_at > now())
     select ((select count(*) from trade_order where state in ${OPEN_ORDER_STATES})
       + (select count(*) from transfer where state in ('held', 'sent') and id not in (select id from later))
       + (select count(*) from strategy where status in ('publishing', 'ending') and not is_earlier
           and coalesce(close_not_before <= now(), true) and wallet_id not in (select wallet_id from later))
       + (select count(*) from follow f join strategy s on s.id = f.strategy_id where not s.is_earlier
           and (f.status = 'opening' or (s.status = 'running' and f.join_at <= now() and f.join_until > now())
             or (f.status = 'closing' and coalesce(f.close_not_before <= now(), true)
               and not exists (select 1 from later where id = f.return_id))))
       + (select count(*) from outbox where done_at is null and failed_at is null and available_at <= now()))::int as count`,
  );
  return row!.count;
}
