import type { Sql } from '../platform/postgres.ts';

/**
 * Which of these transactions trading signed, and for which wallet. Whoever reads the chain for deposits asks before taking a
 * transaction for somebody else's; every signature stands in the database before its transaction is sent.
 */
export async function orderSignatures(
  sql: Sql,
  signatures: readonly string[],
): Promise<{ signature: string; walletAddress: string }[]> {
  return sql.query<{ signature: string; walletAddress: string }>(
    `select a.signature, w.address as "walletAddress" from order_attempt a
       join trade_order o on o.id = a.order_id join wallet w on w.user_id = o.user_id
     where a.signature = any($1::text[])
     union all select c.signature, w.address from token_account_closing c join wallet w on w.user_id = c.user_id
     where c.signature = any($1::text[])`,
    [signatures],
  );
}
