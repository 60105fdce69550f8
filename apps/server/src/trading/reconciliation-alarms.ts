import type { Sql } from '../platform/postgres.ts';

/** Whether the chain has less in a wallet than its books say, and nothing has explained or settled it. */
export async function hasShortfall(sql: Sql, walletId: string): Promise<boolean> {
  const rows = await sql.query(
    `select 1 from reconciliation_alarm where wallet_id = $1 and chain < books and resolved_at is null limit 1`,
    [walletId],
  );
  return rows.length > 0;
}
