import type { Sql } from '../platform/postgres.ts';

/**
 * Answers the intents that no other process asks the signer for now, and keeps them to this one until the transaction `sql` ends,
 * also by the death of its process. The signer counts every different message towards its limits, whether it is sent or not, and
 * two processes make different ones of the same intent. Whoever has the lock looks at the intent again before he asks.
 */
export async function lockIntents(sql: Sql, ids: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ id: string }>(
    `select id from unnest($1::uuid[]) as v (id) where pg_try_advisory_xact_lock(hashtextextended('signing ' || id, 0))`,
    [ids],
  );
  return rows.map(({ id }) => id);
}
