import type { Address } from '@hunter/solana/address';
import type { Sql } from '../platform/postgres.ts';

/** How many tokens one user may hide: more than anybody is sent, and no more than a list should hold. */
const HIDDEN_MAX = 1_000;

export async function hideToken(sql: Sql, userId: string, mint: Address, hidden: boolean): Promise<void> {
  if (!hidden) {
    await sql.write(`delete from hidden_token where user_id = $1 and mint = $2`, [userId, mint]);
    return;
  }
  await sql.write(
    `insert into hidden_token (user_id, mint) select $1, $2
     where (select count(*) from hidden_token where user_id = $1) < $3 on conflict do nothing`,
    [userId, mint, HIDDEN_MAX],
  );
}
