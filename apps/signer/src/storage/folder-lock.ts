import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * One signer for each folder, whatever sockets they listen on: two would each count withdrawals for themselves and
 * allow twice the limit. The lock is SQLite's on a file of its own, which the operating system lets go of however the
 * process ends.
 */
export function lockFolder(folder: string): { release(): void } {
  const database = new DatabaseSync(join(folder, 'lock.sqlite'));
  try {
    database.exec('pragma busy_timeout = 2000; pragma journal_mode = off; begin exclusive');
  } catch (error) {
    database.close();
    const isBusy = (error as { errcode?: number }).errcode === SQLITE_BUSY;
    throw isBusy
      ? new Error(
          `another signer uses the folder ${folder}: stop that process first, or give this one a DATA_DIR of its own`,
        )
      : error;
  }
  return { release: () => database.close() };
}

const SQLITE_BUSY = 5;
