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

type Plan = { Plans?: Plan[]; 'Rows Removed by Filter'?: number };

/** How many rows a statement reads in vain where an index may say what it looks for: of a small table all would be read at once. */
export function rowsPassedOver(database: Database, text: string, values: readonly unknown[]): Promise<number> {
  return database.transaction(async (sql) => {
    await sql.write(`set local enable_seqscan = off`);
    const [row] = await sql.write<{ 'QUERY PLAN': { Plan: Plan }[] }>(`explain (analyze, format json) ${text}`, values);
    const sum = (plan: Plan): number =>
      (plan['Rows Removed by Filter'] ?? 0) + (plan.Plans ?? []).reduce((total, each) => total + sum(each), 0);
    return sum(row!['QUERY PLAN'][0]!.Plan);
  });
}
