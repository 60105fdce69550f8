import type { Address } from '@hunter/solana/address';
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

/** Of rounds, those that the creator of the strategy did not ask for are somebody else's. */
const ASKED_FOR = `kind not in ('join', 'exit')`;

/** Those of these users and coins that a strategy of the user is buying, by the two. */
export async function loadStrategyBuying(
  sql: Sql,
  which: readonly { userId: string; mint: Address }[],
): Promise<string[]> {
  if (which.length === 0) return [];
  const rows = await sql.query<{ userId: string; mint: Address }>(
    `select distinct user_id as "userId", mint from trade_order join unnest($1::uuid[], $2::text[]) k (user_id, mint)
       using (user_id, mint)
     where state in ${OPEN_ORDER_STATES} and is_round and side = 'buy' and ${ASKED_FOR}`,
    [which.map(({ userId }) => userId), which.map(({ mint }) => mint)],
  );
  return rows.map(({ userId, mint }) => `${userId} ${mint}`);
}

/** Whether a user is trading a coin in another book that he steers himself. */
export async function isTradingElsewhere(
  sql: Sql,
  { userId, mint, exceptBookId }: { userId: string; mint: Address; exceptBookId: string },
): Promise<boolean> {
  const rows = await sql.query(
    `select 1 from trade_order where user_id = $1 and mint = $2 and book_id <> $3 and ${ASKED_FOR}
       and state in ${OPEN_ORDER_STATES} limit 1`,
    [userId, mint, exceptBookId],
  );
  return rows.length > 0;
}

/** Books in which a coin was traded since then. What is final by now is left out: it was asked for before that. */
export function loadTradedSince(sql: Sql, since: Date): Promise<{ bookId: string; mint: Address }[]> {
  return sql.query(
    `select distinct book_id as "bookId", mint from trade_order where state = 'confirmed' and settled_at > $1`,
    [since],
  );
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
