import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../../../scripts/database-for-test.ts';
import { migrate, MigrationError } from './migrate.ts';

let database: TestDatabase;
let directory: string;

beforeEach(async () => {
  database = await createEmptyDatabase();
  directory = mkdtempSync(join(tmpdir(), 'hunter-migrations-'));
});

afterEach(async () => {
  await database.drop();
  rmSync(directory, { recursive: true });
});

function write(file: string, sql: string): void {
  writeFileSync(join(directory, file), sql);
}

async function rows(sql: string): Promise<unknown[]> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function faultOf(run: Promise<void>): Promise<{ fault: string; file: string }> {
  try {
    await run;
  } catch (error) {
    if (error instanceof MigrationError) return { fault: error.fault, file: error.file };
    throw error;
  }
  throw new Error('the migration was accepted');
}

describe('migrate', () => {
  it('applies every file once, in the order of their numbers', async () => {
    write('0002-second.sql', 'insert into note values (2)');
    write('0001-first.sql', 'create table note (n int); insert into note values (1)');
    await migrate(database.url, directory);
    await migrate(database.url, directory);
    expect(await rows('select n from note order by n')).toEqual([{ n: 1 }, { n: 2 }]);
  });

  it('lets processes that start at the same time wait for each other', async () => {
    write('0001-first.sql', 'create table note (n int); insert into note values (1)');
    await Promise.all([1, 2, 3, 4].map(() => migrate(database.url, directory)));
    expect(await rows('select n from note')).toEqual([{ n: 1 }]);
  });

  it('refuses a file that changed after it was applied, naming it', async () => {
    write('0001-first.sql', 'create table note (n int)');
    await migrate(database.url, directory);
    write('0001-first.sql', 'create table note (n bigint)');
    expect(await faultOf(migrate(database.url, directory))).toEqual({ fault: 'changed', file: '0001-first.sql' });
  });

  it('refuses a database that has a migration the program lacks', async () => {
    write('0001-first.sql', 'create table note (n int)');
    write('0002-second.sql', 'select 1');
    await migrate(database.url, directory);
    rmSync(join(directory, '0002-second.sql'));
    expect(await faultOf(migrate(database.url, directory))).toEqual({ fault: 'missing', file: '0002-second.sql' });
  });

  it('refuses a new file that sorts before an applied one', async () => {
    write('0002-second.sql', 'select 1');
    await migrate(database.url, directory);
    write('0001-late.sql', 'select 1');
    expect(await faultOf(migrate(database.url, directory))).toEqual({ fault: 'out-of-order', file: '0001-late.sql' });
  });

  it('leaves nothing of a failing migration behind and keeps the ones before it', async () => {
    write('0001-first.sql', 'create table note (n int)');
    write('0002-broken.sql', 'create table other (n int); select * from nowhere');
    const failure = await migrate(database.url, directory).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(MigrationError);
    expect(String(failure)).toContain('0002-broken.sql failed: relation "nowhere" does not exist');
    expect(await rows("select to_regclass('note')::text as note, to_regclass('other')::text as other")).toEqual([
      { note: 'note', other: null },
    ]);
  });

  it('refuses names without a number and two files with the same number', async () => {
    write('first.sql', 'select 1');
    expect(await faultOf(migrate(database.url, directory))).toEqual({ fault: 'bad-name', file: 'first.sql' });
    rmSync(join(directory, 'first.sql'));
    write('0001-a.sql', 'select 1');
    write('0001-b.sql', 'select 1');
    expect(await faultOf(migrate(database.url, directory))).toEqual({ fault: 'duplicate-number', file: '0001-b.sql' });
  });
});

describe("the server's own migrations", () => {
  it('are in the template that every test database is cloned from', async () => {
    const clone = await createTestDatabase();
    try {
      await migrate(clone.url);
    } finally {
      await clone.drop();
    }
  });
});
