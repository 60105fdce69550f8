import type { Sql } from '../platform/postgres.ts';
import { SOL } from './journal.ts';
import { WALLET_MINIMUM_LAMPORTS } from './wallet-minimum.ts';

export type BookBalance = { bookId: string; account: 'cash' | 'held' | 'rent'; asset: string; amount: bigint };

export async function loadBalances(sql: Sql, userId: string): Promise<BookBalance[]> {
  return sql.query<BookBalance>(
    `select b.book_id as "bookId", b.account, b.asset, b.amount
     from balance b join book k on k.id = b.book_id where k.user_id = $1 and b.amount > 0`,
    [userId],
  );
}

/** Free amount of one asset in one book. */
export async function loadCash(sql: Sql, bookId: string, asset: string): Promise<bigint> {
  const rows = await sql.query<{ amount: bigint }>(
    `select amount from balance where book_id = $1 and account = 'cash' and asset = $2`,
    [bookId, asset],
  );
  return rows[0]?.amount ?? 0n;
}

export type WalletBalance = {
  userId: string;
  address: string;
  /** All SOL of the wallet: free and held, over all books. */
  lamports: bigint;
  /** Free SOL of the personal book. */
  availableLamports: bigint;
};

export async function loadWalletBalances(sql: Sql, userIds: readonly string[]): Promise<WalletBalance[]> {
  return sql.query<WalletBalance>(
    `select w.user_id as "userId", w.address, coalesce(sum(b.amount), 0)::numeric(40, 0) as lamports,
       coalesce(sum(b.amount) filter (where k.kind = 'personal' and b.account = 'cash'), 0)::numeric(40, 0)
         as "availableLamports"
     from wallet w join book k on k.user_id = w.user_id
       left join balance b on b.book_id = k.id and b.asset = $2 and b.account in ('cash', 'held')
     where w.user_id = any($1::uuid[]) group by w.user_id, w.address`,
    [userIds, SOL],
  );
}

/** What a personal book may spend: the wallet's minimum stays. */
export function spendableLamports(cash: bigint, kind: 'personal' | 'strategy' | 'follow'): bigint {
  const free = kind === 'personal' ? cash - WALLET_MINIMUM_LAMPORTS : cash;
  return free > 0n ? free : 0n;
}
