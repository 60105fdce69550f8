import { AppError } from '@hunter/contract/app-error';
import { FairLimit } from '../platform/fair-limit.ts';
import type { Database, Sql } from '../platform/postgres.ts';

const AT_ONCE = 4;
const WAITING_MAX = 100;
const WAITING_EACH_MAX = 5;
const limit = new FairLimit({ running: AT_ONCE, waiting: WAITING_MAX, waitingEach: WAITING_EACH_MAX });

/**
 * A transaction in which the signer seals a wallet's key under another password, or freezes or unfreezes the wallet. A row stays locked
 * meanwhile, so that two changes cannot overwrite each other, and the signer takes its time over a password: only so few at once that
 * everybody else finds a connection, and one of each account, which would only wait for its row. Throws UNAVAILABLE where too many wait.
 */
export async function whileSealing<Result>(
  { database }: { database: Pick<Database, 'transaction'> },
  account: string,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  const done = await limit.run(account, () => database.transaction(work));
  if (done === null) throw new AppError('UNAVAILABLE');
  return done.value;
}
