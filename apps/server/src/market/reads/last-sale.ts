import type { Sql } from '../../platform/postgres.ts';

/** When a wallet last sold a token; null where it never did. */
export async function loadLastSale(sql: Sql, tokenId: number, wallet: string): Promise<Date | null> {
  const [row] = await sql.query<{ at: Date | null }>(
    `select max(x.at) as at from trade x join trader r on r.id = x.trader_id
     where x.token_id = $1 and r.address = $2 and not x.is_buy`,
    [tokenId, wallet],
  );
  return row?.at ?? null;
}
