import type { Address } from '@hunter/domain/address';
import { baseUnits, type BaseUnits } from '@hunter/domain/numbers/base-units';
import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import { liquidationValue, type Pool } from '@hunter/domain/market/swap-maths';
import { loadBookHoldings } from '../ledger/balances.ts';
import { SOL } from '../ledger/journal.ts';
import type { Sql } from '../platform/postgres.ts';
import { NETWORK_FEE_LAMPORTS } from './costs.ts';

export type Holdings = {
  /** SOL free to use. */
  freeLamports: Lamports;
  /** Free and set aside. */
  lamports: Lamports;
  /** Deposits in token accounts, which come back. */
  rentLamports: Lamports;
  /** Free and set aside, by mint; none of them zero. */
  tokens: Map<Address, BaseUnits>;
};

const NOTHING = lamports(0n);

export type Pools = ReadonlyMap<Address, Pool>;

/** What books hold, in one query however many they are. Every id asked for is in the answer. */
export async function loadHoldings(sql: Sql, bookIds: readonly string[]): Promise<Map<string, Holdings>> {
  const books = new Map<string, Holdings>(
    bookIds.map((id) => [id, { freeLamports: NOTHING, lamports: NOTHING, rentLamports: NOTHING, tokens: new Map() }]),
  );
  if (bookIds.length === 0) return books;
  for (const { bookId, asset, cash, held, rent } of await loadBookHoldings(sql, bookIds)) {
    const book = books.get(bookId)!;
    if (asset === SOL) {
      book.freeLamports = lamports(cash);
      book.lamports = lamports(cash + held);
      book.rentLamports = lamports(rent);
    } else if (cash + held > 0n) book.tokens.set(asset, baseUnits(cash + held));
  }
  return books;
}

export function mintsOf(books: Iterable<Holdings>): Address[] {
  const mints = new Set<Address>();
  for (const book of books) for (const mint of book.tokens.keys()) mints.add(mint);
  return [...mints];
}

/** Nothing has come into the book yet, or all has left. */
export function isEmpty({ lamports: sol, tokens }: Holdings): boolean {
  return sol === 0n && tokens.size === 0;
}

/** What selling a holding now returns after all fees; null where nobody knows its pool, because unknown is not zero. */
export function holdingValue(pools: Pools, mint: Address, tokens: BaseUnits): Lamports | null {
  const pool = pools.get(mint);
  return pool === undefined ? null : liquidationValue(pool, tokens, NETWORK_FEE_LAMPORTS);
}

/** SOL, deposits and every position at what selling it now returns; null where one of them cannot be priced. */
export function equityOf(book: Holdings, pools: Pools): Lamports | null {
  return [...book.tokens.keys()].every((mint) => pools.has(mint)) ? knownEquity(book, pools) : null;
}

/** What the book of a follow or strategy that is not over is worth: SOL that is still on its way into it is not lost. */
export function openEquity(
  { isOpening, amount }: { isOpening: boolean; amount: bigint },
  book: Holdings,
  pools: Pools,
): bigint | null {
  return isOpening && isEmpty(book) ? amount : equityOf(book, pools);
}

/** At least this much: positions that cannot be priced are left out. For limits that are a part of it, less is safer. */
export function knownEquity(book: Holdings, pools: Pools): Lamports {
  let equity: bigint = book.lamports + book.rentLamports;
  for (const [mint, tokens] of book.tokens) equity += holdingValue(pools, mint, tokens) ?? 0n;
  return lamports(equity);
}
