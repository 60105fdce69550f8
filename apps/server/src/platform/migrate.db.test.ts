import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../../../scripts/database-for-test.ts';
import { migrate, MigrationError } from './migrate.ts';

const leaseTable = readFileSync(new URL('../../migrations/0013-lease.sql', import.meta.url), 'utf8');

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

  it('refuses a database that has a migration which the program lacks although it has newer ones', async () => {
    write('0001-first.sql', 'create table note (n int)');
    write('0002-second.sql', 'select 1');
    write('0003-third.sql', 'select 1');
    await migrate(database.url, directory);
    rmSync(join(directory, '0002-second.sql'));
    expect(await faultOf(migrate(database.url, directory))).toEqual({ fault: 'missing', file: '0002-second.sql' });
  });

  it('lets an older program run on a schema that newer ones only added to', async () => {
    write('0060-first.sql', `${leaseTable}; create table note (n int)`);
    write('0061-second.sql', 'alter table note add column m int');
    write('0062-third.sql', '-- contract: programs from 0060 on\nalter table note drop column n');
    await migrate(database.url, directory);
    for (const newer of ['0062-third.sql', '0061-second.sql']) {
      rmSync(join(directory, newer));
      await migrate(database.url, directory);
    }
    expect(await rows('select count(*)::int as count from schema_migration')).toEqual([{ count: 3 }]);
  });

  it('refuses a program that is older than the schema still allows, naming the migration', async () => {
    write('0060-first.sql', `${leaseTable}; create table note (n int)`);
    write('0061-second.sql', 'alter table note add column m int');
    write('0062-third.sql', '-- contract: programs from 0061 on\nalter table note drop column n');
    await migrate(database.url, directory);
    rmSync(join(directory, '0062-third.sql'));
    await migrate(database.url, directory);
    rmSync(join(directory, '0061-second.sql'));
    expect(await faultOf(migrate(database.url, directory))).toEqual({ fault: 'too-new', file: '0062-third.sql' });
  });

  it('takes something away only once no program runs that uses it', async () => {
    write('0060-lease.sql', leaseTable);
    await migrate(database.url, directory);
    await rows(`insert into lease (name, owner, epoch, since, until) select name, '', 1, now(), now() + interval '1 hour'
      from unnest(array['program-0060-a', 'program-0061-b']) name`);
    write('0061-second.sql', 'select 1');
    write('0062-third.sql', '-- contract: programs from 0061 on\ncreate table note as select name from lease');
    const migrating = migrate(database.url, directory);
    await expect.poll(() => rows(`select file from schema_migration`)).toContainEqual({ file: '0061-second.sql' });
    await rows(`update lease set until = now() where name = 'program-0060-a'`);
    await migrating;
    expect(await rows(`select name from note`)).toEqual([{ name: 'program-0061-b' }]);
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
