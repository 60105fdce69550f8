import type { Sql } from '../platform/postgres.ts';

/**
 * Which of these transactions trading signed. Whoever reads the chain for deposits asks before taking a transaction for
 * somebody else's; every signature stands in the database before its transaction is sent.
 */
export async function orderSignatures(sql: Sql, signatures: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ signature: string }>(
    `select signature from order_attempt where signature = any($1::text[])
     union select signature from token_account_closing where signature = any($1::text[])`,
    [signatures],
  );
  return rows.map((row) => row.signature);
}
