import { fileURLToPath } from 'node:url';
import { type MigrationFile, readMigrationFiles } from './migration-files.ts';

/**
 * The migrations of this program. A built server carries those that it was built with in the place of this module
 * (`rolldown.config.mjs`): the folder may by then be that of a newer version, which is not the program that runs.
 */
export function ownMigrations(): Promise<readonly MigrationFile[]> {
  return readMigrationFiles(fileURLToPath(new URL('../../migrations', import.meta.url)));
}
