import { AppError } from '@hunter/contract/app-error';
import { ConcurrencyLimit } from '../platform/concurrency-limit.ts';
import type { Database, Sql } from '../platform/postgres.ts';

const AT_ONCE = 4;
const WAITING_MAX = 100;
const limit = new ConcurrencyLimit(AT_ONCE, WAITING_MAX);

/**
 * A transaction in which the signer seals a wallet's key under another password. The wallet's row stays locked meanwhile, so that two
 * changes cannot overwrite each other, and the signer takes its time over a password: only so few at once that everybody else finds a
 * connection. Throws UNAVAILABLE where too many wait.
 */
export async function whileSealing<Result>(
  { database }: { database: Pick<Database, 'transaction'> },
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  const done = await limit.run(() => database.transaction(work));
  if (done === null) throw new AppError('UNAVAILABLE');
  return done.value;
}
