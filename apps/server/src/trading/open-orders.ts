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
