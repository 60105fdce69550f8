import type { BaseUnits } from '@hunter/domain/numbers/base-units';
import type { Lamports } from '@hunter/domain/numbers/lamports';
import type { Address } from '@hunter/solana/address';
import type { Asset } from './journal.ts';
import type { Sql } from '../platform/postgres.ts';
import type { AmountOf } from './asset-amount.ts';
import { LOCK_ORDER } from './balances.ts';
import type { BookKind } from './books.ts';

export type SolBalances = {
  address: Address;
  personalBookId: string;
  /** Free SOL of the personal book. */
  personalCash: Lamports;
  /** Free SOL of all books in the personal wallet. */
  allCash: Lamports;
  /** SOL set aside in all books of the personal wallet. */
  allHeld: Lamports;
};

/** From the mirror, not the chain: cash and held of all books of a wallet are its lamports, to the lamport. */
export async function loadSolBalances(sql: Sql, userId: string): Promise<SolBalances> {
  const rows = await sql.query<SolBalances>(
    `select w.address,
            (array_agg(b.id) filter (where b.kind = 'personal'))[1] as "personalBookId",
            coalesce(sum(a.amount) filter (where b.kind = 'personal' and a.account = 'cash'), 0) as "personalCash",
            coalesce(sum(a.amount) filter (where a.account = 'cash'), 0) as "allCash",
            coalesce(sum(a.amount) filter (where a.account = 'held'), 0) as "allHeld"
     from wallet w join book b on b.wallet_id = w.id
     left join balance a on a.book_id = b.id and a.asset = 'SOL' and a.account in ('cash', 'held')
     where w.user_id = $1 and w.kind = 'personal' group by w.address`,
    [userId],
  );
  if (!rows[0]) throw new Error(`user ${userId} has no wallet`);
  return rows[0];
}

/** In the order in which postings lock, before the balances are read that a decision rests on. */
export async function lockPersonalSol(sql: Sql, userId: string): Promise<void> {
  await sql.query(
    `select 1 from holding h join book b on b.id = h.book_id join wallet w on w.id = b.wallet_id
     where w.user_id = $1 and w.kind = 'personal' and h.asset = 'SOL' ${LOCK_ORDER}`,
    [userId],
  );
}

/** Free SOL of the personal wallets of users: what is set aside in them may leave at any moment. */
export async function loadPersonalCash(sql: Sql, userIds: readonly string[]): Promise<ReadonlyMap<string, Lamports>> {
  const rows = await sql.query<{ userId: string; cash: Lamports }>(
    `select w.user_id as "userId", sum(h.cash)::numeric(40, 0) as cash
     from wallet w join book b on b.wallet_id = w.id join holding h on h.book_id = b.id and h.asset = 'SOL'
     where w.user_id = any($1::uuid[]) and w.kind = 'personal' group by w.user_id`,
    [userIds],
  );
  return new Map(rows.map(({ userId, cash }) => [userId, cash]));
}

/** Of one asset in one book. */
export type BookAmount<A extends Asset = Asset> = {
  walletId: string;
  bookId: string;
  kind: BookKind | 'unclaimed';
  asset: A;
  amount: AmountOf<A>;
};

/** Free amounts in all books of some wallets, locked in the order in which postings lock. */
export function lockFreeBalances<A extends Asset>(
  sql: Sql,
  walletIds: readonly string[],
  assets: readonly A[],
): Promise<BookAmount<A>[]> {
  return sql.query<BookAmount<A>>(
    `select b.wallet_id as "walletId", h.book_id as "bookId", b.kind, h.asset, h.cash as amount
     from holding h join book b on b.id = h.book_id
     where b.wallet_id = any($1::uuid[]) and h.asset = any($2::text[]) ${LOCK_ORDER}`,
    [walletIds, assets],
  );
}

/** What the books of a wallet hold of every asset, set aside or not. */
export function loadWalletAmounts(sql: Sql, walletId: string): Promise<Pick<BookAmount, 'asset' | 'amount'>[]> {
  return sql.query(
    `select b.asset, sum(b.amount)::numeric(40, 0) as amount from balance b join book k on k.id = b.book_id
     where k.wallet_id = $1 and b.account in ('cash', 'held') group by b.asset`,
    [walletId],
  );
}

/** Whether a strategy's wallet holds something that is nobody's. */
export async function hasUnclaimed(sql: Sql, walletId: string): Promise<boolean> {
  const rows = await sql.query(
    `select 1 from balance a join book b on b.id = a.book_id
     where b.wallet_id = $1 and b.kind = 'unclaimed' and a.amount > 0 limit 1`,
    [walletId],
  );
  return rows.length > 0;
}

/** Wallets in which more free SOL than this is nobody's. */
export async function loadWalletsWithUnclaimed(sql: Sql, moreThanLamports: Lamports): Promise<string[]> {
  const rows = await sql.query<{ walletId: string }>(
    `select b.wallet_id as "walletId" from book b join holding h on h.book_id = b.id and h.asset = 'SOL'
     where b.kind = 'unclaimed' and h.cash > $1`,
    [moreThanLamports],
  );
  return rows.map(({ walletId }) => walletId);
}

/** How much of one token all books of a wallet hold. */
export async function loadWalletTokens(sql: Sql, walletId: string, mint: Address): Promise<BaseUnits> {
  const rows = await sql.query<{ amount: BaseUnits }>(
    `select coalesce(sum(h.cash + h.held), 0)::numeric(40, 0) as amount from book k join holding h on h.book_id = k.id
     where k.wallet_id = $1 and h.asset = $2`,
    [walletId, mint],
  );
  return rows[0]!.amount;
}

/** What every book of some wallets holds of every asset, set aside or not. */
export function loadBookAmounts(sql: Sql, walletIds: readonly string[]): Promise<BookAmount[]> {
  return sql.query(
    `select k.wallet_id as "walletId", k.id as "bookId", k.kind, b.asset, sum(b.amount)::numeric(40, 0) as amount
     from book k join balance b on b.book_id = k.id
     where k.wallet_id = any($1::uuid[]) and b.account in ('cash', 'held') and b.amount > 0 group by 1, 2, 3, 4`,
    [walletIds],
  );
}
