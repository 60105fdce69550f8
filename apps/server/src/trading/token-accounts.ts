import type { Sql } from '../platform/postgres.ts';

/** Which of these users have an account for a token. */
export async function loadTokenAccountOwners(
  sql: Sql,
  userIds: readonly string[],
  mint: string,
): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ userId: string }>(
    `select user_id as "userId" from token_account where user_id = any($1::uuid[]) and mint = $2`,
    [userIds, mint],
  );
  return new Set(rows.map(({ userId }) => userId));
}

/** Token accounts belong to the wallet and stay; the claim on their deposits passes to another book of its owner. */
export async function reassignTokenAccounts(sql: Sql, fromBookId: string, toBookId: string): Promise<void> {
  await sql.query(`update token_account set book_id = $2 where book_id = $1`, [fromBookId, toBookId]);
}
