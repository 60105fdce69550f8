import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';

/**
 * Migrations are SQL files `NNNN-name.sql`, applied once each in the order of their names and never undone. The table
 * `schema_migration` remembers what ran and its checksum, because a file that changed after it ran would leave two
 * installations with different schemas under the same name.
 */
export type MigrationFault = 'changed' | 'missing' | 'out-of-order' | 'bad-name' | 'duplicate-number' | 'failed';

const faultTexts: Record<MigrationFault, string> = {
  changed: 'was changed after it had been applied; add a new migration instead',
  missing:
    'was applied to this database but is missing from the program; the database is newer or the file was deleted',
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

export type Migration = { readonly file: string; readonly sql: string; readonly checksum: string };
export type AppliedMigration = { readonly file: string; readonly checksum: string };

const MIGRATION_NAME = /^\d{4}-[a-z0-9]+(-[a-z0-9]+)*\.sql$/;

export async function loadMigrations(directory: string): Promise<Migration[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).sort();
  const numbers = new Set<string>();
  const migrations: Migration[] = [];
  for (const file of files) {
    if (!MIGRATION_NAME.test(file)) throw new MigrationError('bad-name', file);
    const number = file.slice(0, 4);
    if (numbers.has(number)) throw new MigrationError('duplicate-number', file);
    numbers.add(number);
    const sql = await readFile(join(directory, file), 'utf8');
    migrations.push({ file, sql, checksum: createHash('sha256').update(sql).digest('hex') });
  }
  return migrations;
}

/** The migrations still to run, in order. Both lists are sorted by file name. */
export function decidePending(available: readonly Migration[], applied: readonly AppliedMigration[]): Migration[] {
  const byFile = new Map(available.map((migration) => [migration.file, migration]));
  for (const { file, checksum } of applied) {
    const migration = byFile.get(file);
    if (!migration) throw new MigrationError('missing', file);
    if (migration.checksum !== checksum) throw new MigrationError('changed', file);
  }
  const last = applied.at(-1)?.file ?? '';
  const done = new Set(applied.map(({ file }) => file));
  const pending = available.filter(({ file }) => !done.has(file));
  const late = pending.find(({ file }) => file < last);
  if (late) throw new MigrationError('out-of-order', late.file);
  return pending;
}

const ownMigrations = fileURLToPath(new URL('../../migrations', import.meta.url));

/** Any constant serves, as long as every process that migrates uses the same one. */
const LOCK_KEY = 7_305_518_427;

export async function migrate(databaseUrl: string, directory: string = ownMigrations): Promise<void> {
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
    const applied = await client.query<AppliedMigration>('select file, checksum from schema_migration order by file');
    for (const migration of decidePending(available, applied.rows)) await apply(client, migration);
  } finally {
    // Closing the session releases the lock.
    await client.end();
  }
}

async function apply(client: Client, { file, sql, checksum }: Migration): Promise<void> {
  try {
    await client.query('begin');
    await client.query(sql);
    await client.query('insert into schema_migration (file, checksum) values ($1, $2)', [file, checksum]);
    const { command } = await client.query('commit');
    // PostgreSQL answers COMMIT of an aborted transaction with success and the tag ROLLBACK.
    if (command !== 'COMMIT') throw new Error('the transaction was rolled back');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw new MigrationError('failed', file, error);
  }
}
