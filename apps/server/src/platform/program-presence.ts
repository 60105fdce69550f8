import { randomUUID } from 'node:crypto';
import { takeLease, type Lease } from './leases.ts';
import type { Sql } from './postgres.ts';

// Programs of different versions may run side by side on one database. Each of those that share it holds a lease with its version in the
// name, taken before it looks at the schema, so that a migration that takes away what older programs use knows whether any still
// runs; one that starts meanwhile finds the migration when it looks.

const OPENING = 'program-';

export async function announceProgram(sql: Sql, version: string, owner: string, durationMs: number): Promise<Lease> {
  await sql.write(`delete from lease where starts_with(name, $1) and until < clock_timestamp() - interval '1 hour'`, [
    OPENING,
  ]);
  return (await takeLease(sql, `${OPENING}${version}-${randomUUID()}`, owner, { durationMs }))!;
}

/**
 * False while a program older than `version` runs. One that was paused until its lease had run out is ended by it: it finds that its lease
 * is gone when it wakes.
 */
export async function endPrograms(sql: Sql, version: string): Promise<boolean> {
  await sql.write(`delete from lease where name >= $1 and name < $2 and until < clock_timestamp()`, [
    OPENING,
    OPENING + version,
  ]);
  const running = await sql.query(`select name from lease where name >= $1 and name < $2 limit 1`, [
    OPENING,
    OPENING + version,
  ]);
  return running.length === 0;
}
