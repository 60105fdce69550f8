import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import { larger } from '@hunter/domain/numbers/rounding';
import type { Asset } from './journal.ts';
import type { Address } from '@hunter/solana/address';
import { arrayText, type Sql } from '../platform/postgres.ts';
import { amountOf, type AmountOf } from './asset-amount.ts';
import type { BookKind } from './books.ts';
import { WALLET_MINIMUM_LAMPORTS } from './wallet-minimum.ts';

export type BookBalance = { bookId: string; account: 'cash' | 'held' | 'rent'; asset: Asset; amount: bigint };

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

/** Likewise with one row per asset. Of SOL, `held` is set aside and `rent` a deposit. */
export type BookHolding = { bookId: string; asset: Asset; cash: bigint; held: bigint; rent: bigint };

export function loadBookHoldings(sql: Sql, bookIds: readonly string[]): Promise<BookHolding[]> {
  return sql.query<BookHolding>(
    `select book_id as "bookId", asset, cash, held, rent from holding
     where book_id = any($1::uuid[]) and (cash > 0 or held > 0 or rent > 0)`,
    [arrayText(bookIds)],
  );
}

/** The coins that any book of a wallet holds. */
export async function loadMintsOf(sql: Sql, walletId: string): Promise<Address[]> {
  const rows = await sql.query<{ asset: Address }>(
    `select distinct h.asset from book k join holding h on h.book_id = k.id
     where k.wallet_id = $1 and h.asset <> 'SOL' and (h.cash > 0 or h.held > 0) order by h.asset`,
    [walletId],
  );
  return rows.map(({ asset }) => asset);
}

/** Free amounts of one asset, by book; a book without any is left out. */
export async function loadCashOf<A extends Asset>(
  sql: Sql,
  bookIds: readonly string[],
  asset: A,
): Promise<Map<string, AmountOf<A>>> {
  const rows = await sql.query<{ bookId: string; amount: AmountOf<A> }>(
    `select book_id as "bookId", cash as amount from holding
     where book_id = any($1::uuid[]) and asset = $2 and cash > 0`,
    [bookIds, asset],
  );
  return new Map(rows.map((row) => [row.bookId, row.amount]));
}

/** Free amounts by book and asset, as `book asset`; where there is nothing it is left out. */
export async function loadCashAt(
  sql: Sql,
  keys: readonly { bookId: string; asset: Asset }[],
): Promise<Map<string, bigint>> {
  const rows = await sql.query<{ bookId: string; asset: Asset; amount: bigint }>(
    `select h.book_id as "bookId", h.asset, h.cash as amount
     from holding h join (select distinct * from unnest($1::uuid[], $2::text[])) k (book_id, asset) using (book_id, asset)
     where h.cash > 0`,
    [keys.map(({ bookId }) => bookId), keys.map(({ asset }) => asset)],
  );
  return new Map(rows.map(({ bookId, asset, amount }) => [`${bookId} ${asset}`, amount]));
}

/** Free amount of one asset in one book. */
export async function loadCash<A extends Asset>(sql: Sql, bookId: string, asset: A): Promise<AmountOf<A>> {
  const rows = await sql.query<{ amount: AmountOf<A> }>(
    `select cash as amount from holding where book_id = $1 and asset = $2`,
    [bookId, asset],
  );
  return rows[0]?.amount ?? amountOf(asset, 0n);
}

/** Likewise, locked until the caller's transaction ends. */
export async function lockCashOf<A extends Asset>(sql: Sql, bookId: string, asset: A): Promise<AmountOf<A>> {
  const rows = await sql.query<{ amount: AmountOf<A> }>(
    `select cash as amount from holding where book_id = $1 and asset = $2 for update`,
    [bookId, asset],
  );
  return rows[0]?.amount ?? amountOf(asset, 0n);
}

/** What a personal book may spend: the wallet's minimum stays. */
export function spendableLamports(cash: Lamports, kind: BookKind): Lamports {
  const free = kind === 'personal' ? cash - WALLET_MINIMUM_LAMPORTS : cash;
  return lamports(larger(0n, free));
}

/** For SQL, of rows of `holding` named `h`: the order in which everybody locks them. */
export const LOCK_ORDER = `order by h.asset <> 'SOL', h.book_id, h.asset for update of h`;

/** Balances named `book account asset`, those beside them included, locked; one that does not exist is zero. */
export async function lockBalances(sql: Sql, keys: readonly string[]): Promise<Map<string, bigint>> {
  const parts = keys.map((key) => key.split(' '));
  const rows = await sql.query<{ key: string; amount: bigint }>(
    `select x.book_id || ' ' || v.account || ' ' || x.asset as key, v.amount from (
       select h.* from holding h
         join (select distinct * from unnest($1::uuid[], $2::text[])) k (book_id, asset) using (book_id, asset) ${LOCK_ORDER}) x
       cross join lateral (values ('cash', x.cash), ('held', x.held), ('rent', x.rent)) v (account, amount)`,
    [parts.map((part) => part[0]), parts.map((part) => part[2])],
  );
  return new Map(rows.map((row) => [row.key, row.amount]));
}
