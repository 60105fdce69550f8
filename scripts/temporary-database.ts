import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../apps/launcher/src/postgres/server.ts';
import { migrate } from '../apps/server/src/platform/migrate.ts';
import { createLog } from '../apps/server/src/platform/log.ts';
import { Database } from '../apps/server/src/platform/postgres.ts';

/** A migrated database on a server of its own with the product's settings: durable commits included. */
export async function withDatabase<T>(work: (database: Database, url: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'hunter-bench-db-'));
  chmodSync(folder, 0o755);
  const server = await startPostgres({ folder: join(folder, 'postgres'), logFile: join(folder, 'postgres.log') });
  try {
    await migrate(server.url);
    const database = new Database(server.url, createLog('silent'));
    try {
      return await work(database, server.url);
    } finally {
      await database.close();
    }
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
