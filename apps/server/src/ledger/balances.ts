import type { Sql } from '../platform/postgres.ts';
import type { BookKind } from './books.ts';
import { WALLET_MINIMUM_LAMPORTS } from './wallet-minimum.ts';

export type BookBalance = { bookId: string; account: 'cash' | 'held' | 'rent'; asset: string; amount: bigint };

export async function loadBalances(sql: Sql, userId: string): Promise<BookBalance[]> {
  return sql.query<BookBalance>(
    `select b.book_id as "bookId", b.account, b.asset, b.amount
     from balance b join book k on k.id = b.book_id where k.user_id = $1 and k.kind <> 'unclaimed' and b.amount > 0`,
    [userId],
  );
}

/** What books hold in every account, in one query however many they are. */
export async function loadBookBalances(sql: Sql, bookIds: readonly string[]): Promise<BookBalance[]> {
  return sql.query<BookBalance>(
    `select book_id as "bookId", account, asset, amount from balance where book_id = any($1::uuid[]) and amount > 0`,
    [bookIds],
  );
}

/** Free amounts of one asset, by book; a book without any is left out. */
export async function loadCashOf(sql: Sql, bookIds: readonly string[], asset: string): Promise<Map<string, bigint>> {
  const rows = await sql.query<{ bookId: string; amount: bigint }>(
    `select book_id as "bookId", amount from balance
     where book_id = any($1::uuid[]) and account = 'cash' and asset = $2 and amount > 0`,
    [bookIds, asset],
  );
  return new Map(rows.map((row) => [row.bookId, row.amount]));
}

/** Free amounts by book and asset, as `book asset`; where there is nothing it is left out. */
export async function loadCashAt(
  sql: Sql,
  keys: readonly { bookId: string; asset: string }[],
): Promise<Map<string, bigint>> {
  const rows = await sql.query<{ bookId: string; asset: string; amount: bigint }>(
    `select b.book_id as "bookId", b.asset, b.amount
     from balance b join (select distinct * from unnest($1::uuid[], $2::text[])) k (book_id, asset) using (book_id, asset)
     where b.account = 'cash' and b.amount > 0`,
    [keys.map(({ bookId }) => bookId), keys.map(({ asset }) => asset)],
  );
  return new Map(rows.map(({ bookId, asset, amount }) => [`${bookId} ${asset}`, amount]));
}

/** Free amount of one asset in one book. */
export async function loadCash(sql: Sql, bookId: string, asset: string): Promise<bigint> {
  const rows = await sql.query<{ amount: bigint }>(
    `select amount from balance where book_id = $1 and account = 'cash' and asset = $2`,
    [bookId, asset],
  );
  return rows[0]?.amount ?? 0n;
}

/** Likewise, locked until the caller's transaction ends. */
export async function lockCashOf(sql: Sql, bookId: string, asset: string): Promise<bigint> {
  const rows = await sql.query<{ amount: bigint }>(
    `select amount from balance where book_id = $1 and account = 'cash' and asset = $2 for update`,
    [bookId, asset],
  );
  return rows[0]?.amount ?? 0n;
}

/** What a personal book may spend: the wallet's minimum stays. */
export function spendableLamports(cash: bigint, kind: BookKind): bigint {
  const free = kind === 'personal' ? cash - WALLET_MINIMUM_LAMPORTS : cash;
  return free > 0n ? free : 0n;
}

/** Balances named `book account asset`, locked in the order in which postings lock; one that does not exist is zero. */
export async function lockBalances(sql: Sql, keys: readonly string[]): Promise<Map<string, bigint>> {
  const parts = keys.map((key) => key.split(' '));
  const rows = await sql.query<{ key: string; amount: bigint }>(
    `select b.book_id || ' ' || b.account || ' ' || b.asset as key, b.amount from balance b
       join unnest($1::uuid[], $2::text[], $3::text[]) k (book_id, account, asset) using (book_id, account, asset)
     order by b.book_id, b.account, b.asset for update of b`,
    [parts.map((part) => part[0]), parts.map((part) => part[1]), parts.map((part) => part[2])],
  );
  return new Map(rows.map((row) => [row.key, row.amount]));
}
