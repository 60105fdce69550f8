import { liquidationValue, type Pool } from '@hunter/domain/swap-maths';
import { SOL } from '../ledger/journal.ts';
import type { Sql } from '../platform/postgres.ts';
import { NETWORK_FEE_LAMPORTS } from './costs.ts';

export type Holdings = {
  /** SOL free to use. */
  freeLamports: bigint;
  /** Free and set aside. */
  lamports: bigint;
  /** Deposits in token accounts, which come back. */
  rentLamports: bigint;
  /** Free and set aside, by mint; none of them zero. */
  tokens: Map<string, bigint>;
};

export type Pools = ReadonlyMap<string, Pool>;

/** What books hold, in one query however many they are. Every id asked for is in the answer. */
export async function loadHoldings(sql: Sql, bookIds: readonly string[]): Promise<Map<string, Holdings>> {
  const books = new Map<string, Holdings>(
    bookIds.map((id) => [id, { freeLamports: 0n, lamports: 0n, rentLamports: 0n, tokens: new Map() }]),
  );
  if (bookIds.length === 0) return books;
  const rows = await sql.query<{ bookId: string; account: string; asset: string; amount: bigint }>(
    `select book_id as "bookId", account, asset, amount from balance where book_id = any($1::uuid[]) and amount > 0`,
    [bookIds],
  );
  for (const { bookId, account, asset, amount } of rows) {
    const book = books.get(bookId)!;
    if (asset !== SOL) book.tokens.set(asset, (book.tokens.get(asset) ?? 0n) + amount);
    else if (account === 'rent') book.rentLamports += amount;
    else {
      book.lamports += amount;
      if (account === 'cash') book.freeLamports += amount;
    }
  }
  return books;
}

export function mintsOf(books: Iterable<Holdings>): string[] {
  const mints = new Set<string>();
  for (const book of books) for (const mint of book.tokens.keys()) mints.add(mint);
  return [...mints];
}

/** What selling a holding now returns after all fees; null where nobody knows its pool, because unknown is not zero. */
export function holdingValue(pools: Pools, mint: string, tokens: bigint): bigint | null {
  const pool = pools.get(mint);
  return pool === undefined ? null : liquidationValue(pool, tokens, NETWORK_FEE_LAMPORTS);
}

/** SOL, deposits and every position at what selling it now returns; null where one of them cannot be priced. */
export function equityOf(book: Holdings, pools: Pools): bigint | null {
  let equity = book.lamports + book.rentLamports;
  for (const [mint, tokens] of book.tokens) {
    const value = holdingValue(pools, mint, tokens);
    if (value === null) return null;
    equity += value;
  }
  return equity;
}
