import type { Sql } from '../platform/postgres.ts';

/** A number of our own for PostgreSQL's advisory locks. */
const MARKET_WRITES = 5_004;

/**
 * Held until the end of the transaction by whoever writes trades or holders. What is read under it (which holders exist,
 * which trade is the newest) stays true until the commit, and nobody overwrites what another has just written.
 * The market's commits do not wait for the disk, since the chain has all of it; see `storeTrades`.
 */
export async function lockMarketWrites(sql: Sql): Promise<void> {
  await sql.query(`select set_config('synchronous_commit', 'off', true), pg_advisory_xact_lock($1)`, [MARKET_WRITES]);
}
