import { afterAll, beforeAll } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../scripts/database-for-test.ts';
import { createLog } from './log.ts';
import { Database } from './postgres.ts';

/** A database for the tests of the file or block that calls this; `take` gets it before the first of them. */
export function useTestDatabase(take: (database: Database, url: string) => void): void {
  let test: TestDatabase | undefined;
  let database: Database | undefined;
  beforeAll(async () => {
    test = await createTestDatabase();
    database = new Database(test.url, createLog('silent'));
    take(database, test.url);
  });
  afterAll(async () => {
    await database?.close();
    await test?.drop();
  });
}
