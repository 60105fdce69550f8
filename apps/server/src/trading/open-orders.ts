import type { Sql } from '../platform/postgres.ts';
import { OPEN_ORDER_STATES } from './order.ts';

/** Orders of these books that have not come to their end. */
export async function loadOpenOrders(
  sql: Sql,
  bookIds: readonly string[],
): Promise<{ id: string; bookId: string; createdAt: Date }[]> {
  return sql.query(
    `select id, book_id as "bookId", created_at as "createdAt" from trade_order
     where book_id = any($1::uuid[]) and state in ${OPEN_ORDER_STATES}`,
    [bookIds],
  );
}

/** Swaps of a wallet that have not come to their end. */
export async function loadOrdersUnderWay(sql: Sql, walletId: string): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `select id from trade_order where wallet_id = $1 and state in ${OPEN_ORDER_STATES}`,
    [walletId],
  );
  return rows.map(({ id }) => id);
}

/** Orders that may still trade, by how long ago they were placed. */
export const ORDER_AGES = ['below 10 s', '10 s to 1 min', '1 to 10 min', 'above 10 min'] as const;
export type OrderAge = (typeof ORDER_AGES)[number];

export async function countOpenOrders(sql: Sql): Promise<Record<OrderAge, number>> {
  const rows = await sql.query<{ age: number; count: number }>(
    `select width_bucket(extract(epoch from clock_timestamp() - created_at), array[10, 60, 600]) as age, count(*)::int
     from trade_order where state in ${OPEN_ORDER_STATES} group by 1`,
  );
  const counts = Object.fromEntries(ORDER_AGES.map((age) => [age, 0])) as Record<OrderAge, number>;
  for (const { age, count } of rows) counts[ORDER_AGES[age]!] = count;
  return counts;
}
