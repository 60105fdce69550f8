import { mkdtempSync, chmodSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { startPostgres } from '../apps/launcher/src/postgres/server.ts';
import { migrate } from '../apps/server/src/platform/migrate.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Connects to the maintenance database of the test run's own PostgreSQL server. */
    testDatabaseAdminUrl: string;
  }
}

export const TEMPLATE_DATABASE = 'hunter_template';

/** Starts one PostgreSQL server for the run, with a template database that has every migration applied. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), 'hunter-test-database-'));
  chmodSync(folder, 0o755);
  const server = await startPostgres({
    folder: join(folder, 'postgres'),
    logFile: join(folder, 'postgres.log'),
    // Durability of throwaway data only costs time.
    settings: ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=300'],
  });
  const stop = async (): Promise<void> => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const admin = new Client({ connectionString: server.url });
    await admin.connect();
    await admin.query(`create database ${TEMPLATE_DATABASE}`);
    await admin.end();
    const template = new URL(server.url);
    template.pathname = `/${TEMPLATE_DATABASE}`;
    await migrate(template.href);
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide('testDatabaseAdminUrl', server.url);
  return stop;
}
