import type { Address } from '@hunter/solana/address';
import type { Sql } from '../platform/postgres.ts';

/** The oldest ones make room. */
const WATCHED_MAX = 200;

/** Newest first. */
export async function loadWatchlist(sql: Sql, userId: string): Promise<string[]> {
  const rows = await sql.query<{ mint: Address }>(
    `select mint from watched_token where user_id = $1 order by at desc, mint limit ${WATCHED_MAX}`,
    [userId],
  );
  return rows.map(({ mint }) => mint);
}

export async function saveWatched(sql: Sql, userId: string, mint: Address, watched: boolean): Promise<string[]> {
  if (watched) {
    await sql.write(`insert into watched_token (user_id, mint) values ($1, $2) on conflict do nothing`, [userId, mint]);
    await sql.write(
      `delete from watched_token where user_id = $1 and mint not in (
         select mint from watched_token where user_id = $1 order by at desc, mint limit ${WATCHED_MAX})`,
      [userId],
    );
  } else {
    await sql.write(`delete from watched_token where user_id = $1 and mint = $2`, [userId, mint]);
  }
  return loadWatchlist(sql, userId);
}
