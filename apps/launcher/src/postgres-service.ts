import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { rotateLog } from './log-file.ts';
import { writeOwnFile } from './own-file.ts';
import { startPostgres } from './postgres/server.ts';
import type { Service } from './service.ts';

const DATABASE = 'hunter';

/** The embedded database server as a supervised service; its fact `url` is the product's database. */
export function postgresService(options: { folder: string; logFile: string }): Service {
  return {
    name: 'postgres',
    needs: [],
    start: async ({ signal, facts }) => {
      rotateLog(options.logFile);
      // The servers that run were told an address once.
      const before = facts.get('postgres')?.['url'];
      const port = typeof before === 'string' ? Number(new URL(before).port) : undefined;
      const server = await startPostgres({ ...options, port, signal });
      try {
        await ensureDatabase(server.url, join(options.folder, 'database-created'));
      } catch (error) {
        await server.stop();
        throw error;
      }
      const url = new URL(server.url);
      url.pathname = `/${DATABASE}`;
      return { facts: { url: url.href }, exited: server.exited, stop: () => server.stop() };
    },
  };
}

/** Only a first start needs the driver and a connection, so every later one does without loading them. */
async function ensureDatabase(url: string, markerFile: string): Promise<void> {
  if (existsSync(markerFile)) return;
  const { Client } = await import('pg');
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    const found = await client.query('select 1 from pg_database where datname = $1', [DATABASE]);
    if (found.rowCount === 0) await client.query(`create database ${DATABASE}`);
  } finally {
    await client.end();
  }
  writeOwnFile(markerFile, '');
}
