import type { Address } from '@hunter/solana/address';
import type { Sql } from '../platform/postgres.ts';

/** Whether a user has a strategy, or had one. */
export async function isCreator(sql: Sql, userId: string): Promise<boolean> {
  const rows = await sql.query(`select 1 from book where user_id = $1 and kind = 'strategy' limit 1`, [userId]);
  return rows.length > 0;
}

/** A coin in whatever books of a user. */
export type CoinOfUser = { userId: string; mint: Address };

/**
 * Until the transaction ends, nobody else looks what the books of these creators do in these coins: an order that must not meet one
 * of another book is written behind this lock, and sees the other or is seen by it. It is taken before balances are locked. For users
 * without a strategy nothing is locked; answers the others, whose strategies may trade the coin.
 */
export async function lockCoinsOfCreators(sql: Sql, which: readonly CoinOfUser[]): Promise<CoinOfUser[]> {
  if (which.length === 0) return [];
  const rows = await sql.query<CoinOfUser>(
    `select k.user_id as "userId", k.mint, pg_advisory_xact_lock(hashtextextended('coin ' || k.user_id || ' ' || k.mint, 0)) from (
       select distinct v.user_id, v.mint from unnest($1::uuid[], $2::text[]) v (user_id, mint)
       where exists (select 1 from book b where b.user_id = v.user_id and b.kind = 'strategy') order by 1, 2) k`,
    [which.map(({ userId }) => userId), which.map(({ mint }) => mint)],
  );
  return rows.map(({ userId, mint }) => ({ userId, mint }));
}
