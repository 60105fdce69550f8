import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { inject } from 'vitest';
import { TEMPLATE_DATABASE } from './test-database.ts';

export type TestDatabase = {
  readonly url: string;
  /** Another one with the same schema and rows. Nobody may be connected to this one. */
  copy(): Promise<TestDatabase>;
  drop(): Promise<void>;
};

async function asAdmin(sql: string): Promise<string> {
  const adminUrl = inject('testDatabaseAdminUrl');
  const client = new Client({ connectionString: adminUrl });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
  return adminUrl;
}

async function create(source: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const url = new URL(await asAdmin(`create database ${name} template ${source} strategy file_copy`));
  url.pathname = `/${name}`;
  return {
    url: url.href,
    copy: () => create(name),
    // Forced, so that a pool which a failing test left open does not hide that test's own error.
    drop: async () => void (await asAdmin(`drop database if exists ${name} with (force)`)),
  };
}

/** A database of its own for one test file, with every migration applied. */
export function createTestDatabase(): Promise<TestDatabase> {
  return create(TEMPLATE_DATABASE);
}

/** A database without any migration. */
export function createEmptyDatabase(): Promise<TestDatabase> {
  return create('template0');
}
