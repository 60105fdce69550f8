import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../../../scripts/database-for-test.ts';
import { migrate } from './migrate.ts';
import { givenUp, movedTables, movesTables, rowsOfMigration } from './migrate-rows-for-test.ts';

const migrations = fileURLToPath(new URL('../../migrations', import.meta.url));
const files = readdirSync(migrations)
  .filter((file) => file.endsWith('.sql'))
  .sort();

const numberOf = (file: string): string => file.slice(0, 4);

let fresh: string;
let walk: Walk;
const opened: TestDatabase[] = [];

beforeAll(async () => {
  const database = await createTestDatabase();
  fresh = await within(database, describeSchema);
  await database.drop();
  walk = new Walk(await createEmptyDatabase());
});
afterEach(async () => {
  for (const database of opened.splice(0)) await database.drop();
});
afterAll(() => walk.end());

async function within<T>(database: TestDatabase, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** An installation that goes from version to version, and what people had in it before a migration moved it to another table. */
class Walk {
  readonly #directory = mkdtempSync(join(tmpdir(), 'hunter-version-'));
  readonly #database: TestDatabase;
  #version = 0;
  /** The migrations whose rows are still to be written: those since the last one that moved rows. */
  #unwritten: string[] = [];

  constructor(database: TestDatabase) {
    this.#database = database;
  }

  async #to(version: number): Promise<void> {
    for (const file of files.slice(this.#version, version)) {
      // What a migration moves to another table must be there before it.
      if (movesTables.includes(numberOf(file))) {
        await writeRows(this.#database, this.#unwritten);
        this.#unwritten = [];
      }
      copyFileSync(join(migrations, file), join(this.#directory, file));
      await migrate(this.#database.url, this.#directory);
      this.#unwritten.push(file);
      this.#version += 1;
    }
  }

  /** An installation that stopped at a version, with what people had in it by then. Versions are asked for in their order. */
  async stoppedAt(version: number): Promise<TestDatabase> {
    await this.#to(version);
    const copy = await this.#database.copy();
    await writeRows(copy, this.#unwritten);
    return copy;
  }

  async end(): Promise<void> {
    rmSync(this.#directory, { recursive: true });
    await this.#database.drop();
  }
}

async function writeRows(database: TestDatabase, written: readonly string[]): Promise<void> {
  await within(database, async (client) => {
    for (const statement of written.flatMap((file) => rowsOfMigration[numberOf(file)] ?? [])) {
      await client.query(statement);
    }
  });
}

async function tablesOf(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1`,
  );
  return rows.map(({ name }) => name).filter((name) => name !== 'schema_migration');
}

type Row = Record<string, unknown>;

async function rowsOf(client: Client, tables: readonly string[]): Promise<Map<string, Row[]>> {
  const present = await tablesOf(client);
  const found = new Map<string, Row[]>();
  for (const table of tables) found.set(table, await rowsIn(client, table, present));
  return found;
}

async function rowsIn(client: Client, table: string, present: readonly string[]): Promise<Row[]> {
  const moved = present.includes(table) ? undefined : movedTables[table];
  const { rows } = await client.query<{ row: Row }>(
    `select (select jsonb_object_agg(key, value::text) from jsonb_each(to_jsonb(t))) as row
     from ${moved ? `(${moved}) t` : `"${table}" t order by t.ctid`}`,
  );
  return rows.map(({ row }) => row);
}

function keptOf(table: string, row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([column]) => !givenUp.includes(`${table}.${column}`)));
}

/** Everything that makes up the schema, as text: tables, columns, constraints, indexes, triggers, functions, types. */
async function describeSchema(client: Client): Promise<string> {
  const { rows } = await client.query<{ line: string }>(`
    select line from (
      select 'column ' || c.relname || ' ' || a.attnum || ' ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) ||
        ' notnull=' || a.attnotnull || ' identity=' || a.attidentity::text || ' generated=' || a.attgenerated::text ||
        ' default=' || coalesce(pg_get_expr(d.adbin, d.adrelid), '') as line
      from pg_attribute a join pg_class c on c.oid = a.attrelid
        left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm') and a.attnum > 0 and not a.attisdropped
      union all
      select 'table ' || relname || ' ' || relkind::text || ' ' || coalesce(array_to_string(reloptions, ','), '')
      from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S')
      union all
      select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
      from pg_constraint where connamespace = 'public'::regnamespace
      union all
      select 'index ' || indexdef from pg_indexes where schemaname = 'public'
      union all
      select 'trigger ' || pg_get_triggerdef(t.oid) from pg_trigger t where not t.tgisinternal
      union all
      select 'function ' || pg_get_functiondef(p.oid) from pg_proc p
      where p.pronamespace = 'public'::regnamespace and p.prokind in ('f', 'p')
        and not exists (select 1 from pg_depend e where e.objid = p.oid and e.deptype = 'e')
      union all
      select 'enum ' || t.typname || ' ' || string_agg(e.enumlabel, ',' order by e.enumsortorder)
      from pg_type t join pg_enum e on e.enumtypid = t.oid group by t.typname
      union all
      select 'view ' || viewname || ' ' || definition from pg_views where schemaname = 'public'
      union all
      select 'extension ' || extname from pg_extension
    ) s order by line`);
  return rows.map(({ line }) => line).join('\n');
}

describe('an installation of any earlier version', () => {
  it.each(files.map((file, index) => ({ file, version: index + 1 })))(
    'upgrades from $file with every row kept and the schema of a new one',
    async ({ version }) => {
      const database = await walk.stoppedAt(version);
      opened.push(database);
      const before = await within(database, async (client) => rowsOf(client, await tablesOf(client)));
      // A table without a row would prove nothing about what it holds.
      expect([...before].filter(([, rows]) => rows.length === 0).map(([table]) => table)).toEqual([]);

      await migrate(database.url);

      await within(database, async (client) => {
        const after = await rowsOf(client, [...before.keys()]);
        for (const [table, rows] of before) {
          expect(after.get(table), table).toHaveLength(rows.length);
          rows.forEach((row, index) => expect(after.get(table)?.[index], table).toMatchObject(keptOf(table, row)));
        }
        expect(await describeSchema(client)).toBe(fresh);
      });
    },
  );

  it('is noticed to differ from a new one by as little as one index', async () => {
    const database = await createTestDatabase();
    opened.push(database);
    await within(database, async (client) => {
      await client.query('drop index session_expiry');
      expect(await describeSchema(client)).not.toBe(fresh);
    });
  });
});
