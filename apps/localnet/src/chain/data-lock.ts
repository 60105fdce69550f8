// One process for each data folder. The lock is SQLite's own on a file of its own: the operating system lets go of it
// when the process ends, however it ends.

import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

type DataLock = { release(): void };

class DataFolderInUseError extends Error {
  constructor(dataDir: string) {
    super(`The data folder ${dataDir} is in use by another running localnet. Stop it first, or choose another folder.`);
    this.name = 'DataFolderInUseError';
  }
}

export function lockDataFolder(dataDir: string): DataLock {
  const database = new DatabaseSync(join(dataDir, 'lock.sqlite'));
  try {
    database.exec('pragma busy_timeout = 0; pragma journal_mode = delete; begin exclusive');
  } catch (error) {
    database.close();
    if (error instanceof Error && /locked|busy/i.test(error.message)) throw new DataFolderInUseError(dataDir);
    throw error;
  }
  return {
    release() {
      database.exec('rollback');
      database.close();
    },
  };
}
