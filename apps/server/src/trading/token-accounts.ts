import type { Sql } from '../platform/postgres.ts';

/** Which of these wallets have an account for a token. */
export async function loadTokenAccountOwners(
  sql: Sql,
  walletIds: readonly string[],
  mint: string,
): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ walletId: string }>(
    `select wallet_id as "walletId" from token_account where wallet_id = any($1::uuid[]) and mint = $2`,
    [walletIds, mint],
  );
  return new Set(rows.map(({ walletId }) => walletId));
}

/** Token accounts belong to the wallet and stay; the claim on their deposits passes to another of its books. */
export async function reassignTokenAccounts(sql: Sql, fromBookId: string, toBookId: string): Promise<void> {
  await sql.query(`update token_account set book_id = $2 where book_id = $1`, [fromBookId, toBookId]);
}
