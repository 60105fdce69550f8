import type { Address } from '@hunter/solana/address';
import type { Sql } from '../platform/postgres.ts';

/** Whether a token of the market is traded at this address, or was on its launch curve. What is sent there is the pool's. */
export async function isPool(sql: Sql, address: Address): Promise<boolean> {
  const rows = await sql.query(`select 1 from token where pool = $1 or curve_pool = $1 limit 1`, [address]);
  return rows.length > 0;
}
