import { createHash } from 'node:crypto';
import { Client } from 'pg';
import { systemClock } from './clock.ts';
import { readMigrationFiles } from './migration-files.ts';
import { ownMigrations } from './own-migrations.ts';
import { isLockTimeout } from './postgres.ts';
import { endPrograms } from './program-presence.ts';

/**
 * Migrations are SQL files `NNNN-name.sql`, applied once each in the order of their names and never undone. The table
 * `schema_migration` remembers what ran and its checksum, because a file that changed after it ran would leave two
 * installations with different schemas under the same name.
 *
 * A program's version is the number of its last migration. An *expanding* migration, which is the rule, only adds: programs of
 * the version before go on running on the schema that it leaves. A *contracting* one takes away what older programs still use; it
 * says in a comment `-- contract: programs from NNNN on` which programs it leaves running, and it is applied only once no older
 * one runs. `scripts/check-migrations.ts` refuses what takes away without saying so.
 */
export type MigrationFault =
  | 'changed'
  | 'missing'
  | 'too-new'
  | 'older-programs-run'
  | 'out-of-order'
  | 'bad-name'
  | 'duplicate-number'
  | 'failed';

const faultTexts: Record<MigrationFault, string> = {
  changed: 'was changed after it had been applied; add a new migration instead',
  missing: 'was applied to this database but is missing from the program, which has newer ones; the file was deleted',
  'too-new': 'was applied to this database and leaves no room for this older program; start a newer one',
  'older-programs-run':
    'takes away what older programs use, and some of them still run on this database; stop them first',
  'out-of-order': 'has a lower number than a migration that was already applied; give it the next number',
  'bad-name': 'is not named NNNN-name.sql',
  'duplicate-number': 'has the same number as another migration',
  failed: 'failed',
};

export class MigrationError extends Error {
  override readonly name = 'MigrationError';
  readonly fault: MigrationFault;
  readonly file: string;

  constructor(fault: MigrationFault, file: string, cause?: unknown) {
    const detail = cause instanceof Error ? `: ${cause.message}` : '';
    super(`migration ${file} ${faultTexts[fault]}${detail}`, { cause });
    this.fault = fault;
    this.file = file;
  }
}

export type Migration = {
  readonly file: string;
  readonly sql: string;
  readonly checksum: string;
  /** The oldest program, by its last migration, that runs on the schema this leaves; null where it changes nothing about that. */
  readonly needs: string | null;
};
export type AppliedMigration = { readonly file: string; readonly checksum: string; readonly needs: string | null };

const MIGRATION_NAME = /^\d{4}-[a-z0-9]+(-[a-z0-9]+)*\.sql$/;
const CONTRACT = /^-- contract: programs from (\d{4}) on$/m;
/** Those up to here were written before programs of different versions ran side by side: each needs the program that brought it. */
const LAST_ALONE = '0051';

const numberOf = (file: string): string => file.slice(0, 4);

export function needsOf(file: string, sql: string): string | null {
  return numberOf(file) <= LAST_ALONE ? numberOf(file) : (CONTRACT.exec(sql)?.[1] ?? null);
}

/** Those of this program, or of the folder that is given. */
async function loadMigrations(directory?: string): Promise<Migration[]> {
  const files = directory === undefined ? await ownMigrations() : await readMigrationFiles(directory);
  const numbers = new Set<string>();
  const migrations: Migration[] = [];
  for (const { file, sql } of files) {
    if (!MIGRATION_NAME.test(file)) throw new MigrationError('bad-name', file);
    const number = numberOf(file);
    if (numbers.has(number)) throw new MigrationError('duplicate-number', file);
    numbers.add(number);
    const checksum = createHash('sha256').update(sql).digest('hex');
    migrations.push({ file, sql, checksum, needs: needsOf(file, sql) });
  }
  return migrations;
}

/** The migrations still to run, in order. Both lists are sorted by file name. */
export function decidePending(available: readonly Migration[], applied: readonly AppliedMigration[]): Migration[] {
  const byFile = new Map(available.map((migration) => [migration.file, migration]));
  const newest = available.at(-1)?.file ?? '';
  for (const { file, checksum, needs } of applied) {
    const migration = byFile.get(file);
    if (!migration && file < newest) throw new MigrationError('missing', file);
    if (!migration && needs !== null && needs > numberOf(newest)) throw new MigrationError('too-new', file);
    if (migration && migration.checksum !== checksum) throw new MigrationError('changed', file);
  }
  const last = applied.at(-1)?.file ?? '';
  const done = new Set(applied.map(({ file }) => file));
  const pending = available.filter(({ file }) => !done.has(file));
  const late = pending.find(({ file }) => file < last);
  if (late) throw new MigrationError('out-of-order', late.file);
  return pending;
}

/** Any constant serves, as long as every process that migrates uses the same one. */
const LOCK_KEY = 7_305_518_427;
/**
 * While a change of a table waits for its lock, everybody else waits behind it. So it waits briefly and often: requests of programs
 * that run meanwhile are late by that much at most.
 */
const LOCK_MS = 500;
const LOCK_TRIES = 60;
/** Programs that were stopped just now are given the time that their presence lasts. */
const PROGRAMS_TRIES = 20;
const AGAIN_MS = 500;

/** The version of this program: the number of its last migration. */
export async function programVersion(directory?: string): Promise<string> {
  return numberOf((await loadMigrations(directory)).at(-1)?.file ?? '0000');
}

export async function migrate(databaseUrl: string, directory?: string): Promise<void> {
  const available = await loadMigrations(directory);
  const client = new Client({ connectionString: databaseUrl, application_name: 'hunter-migrate' });
  // A connection that breaks between queries reports it here; the next query then rejects.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
    await client.query(`
      create table if not exists schema_migration (
        file text primary key,
        checksum text not null,
        applied_at timestamptz not null default now()
      )`);
    // Rows from before this column are of migrations that every program has.
    await client.query('alter table schema_migration add column if not exists needs text');
    const applied = await client.query<AppliedMigration>(
      'select file, checksum, needs from schema_migration order by file',
    );
    for (const migration of decidePending(available, applied.rows)) {
      await waitForOlderPrograms(client, migration);
      await apply(client, migration);
    }
  } finally {
    // Closing the session releases the lock.
    await client.end();
  }
}

async function waitForOlderPrograms(client: Client, { file, needs }: Migration): Promise<void> {
  if (needs === null || numberOf(file) <= LAST_ALONE) return;
  const ask = async (text: string, values?: readonly unknown[]) => (await client.query(text, values as [])).rows;
  const sql = { query: ask, write: ask };
  for (let tries = 1; !(await endPrograms(sql, needs)); tries += 1) {
    if (tries === PROGRAMS_TRIES) throw new MigrationError('older-programs-run', file);
    await systemClock.pause(AGAIN_MS);
  }
}

async function apply(client: Client, migration: Migration): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await applyOnce(client, migration);
    } catch (error) {
      await client.query('rollback').catch(() => {});
      if (!isLockTimeout(error) || tries === LOCK_TRIES) throw new MigrationError('failed', migration.file, error);
      await systemClock.pause(AGAIN_MS);
    }
  }
}

async function applyOnce(client: Client, { file, sql, checksum, needs }: Migration): Promise<void> {
  await client.query('begin');
  await client.query(`set local lock_timeout = ${LOCK_MS}`);
  await client.query(sql);
  await client.query('insert into schema_migration (file, checksum, needs) values ($1, $2, $3)', [
    file,
    checksum,
    needs,
  ]);
  const { command } = await client.query('commit');
  // PostgreSQL answers COMMIT of an aborted transaction with success and the tag ROLLBACK.
  if (command !== 'COMMIT') throw new Error('the transaction was rolled back');
}
