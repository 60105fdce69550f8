import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

export type MigrationFile = { readonly file: string; readonly sql: string };

/** In the order of their names. */
export async function readMigrationFiles(directory: string): Promise<MigrationFile[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).sort();
  return Promise.all(files.map(async (file) => ({ file, sql: await readFile(join(directory, file), 'utf8') })));
}
