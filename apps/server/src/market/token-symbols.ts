import type { Address } from '@hunter/solana/address';
import type { Sql } from '../platform/postgres.ts';

/** Of the tokens the market knows; the others are shown by their mint. */
export async function loadTokenSymbols(sql: Sql, mints: readonly Address[]): Promise<ReadonlyMap<string, string>> {
  if (mints.length === 0) return new Map();
  const rows = await sql.query<{ mint: Address; symbol: string }>(
    `select mint, symbol from token where mint = any($1::text[])`,
    [mints],
  );
  return new Map(rows.map((row) => [row.mint, row.symbol]));
}
