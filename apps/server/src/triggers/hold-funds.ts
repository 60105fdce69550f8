import { AppError } from '@hunter/contract/app-error';
import { lockCashOf, spendableLamports } from '../ledger/balances.ts';
import { postEntries, SOL, type JournalEntry } from '../ledger/journal.ts';
import type { Sql } from '../platform/postgres.ts';
import type { Trigger } from './trigger.ts';

/** Sets SOL of a book aside for a trigger; throws INSUFFICIENT_BALANCE. */
export async function holdFunds(sql: Sql, trigger: Trigger, lamports: bigint, at: Date): Promise<Trigger> {
  const cash = await lockCashOf(sql, trigger.bookId, SOL);
  if (spendableLamports(cash, trigger.bookKind) < lamports) throw new AppError('INSUFFICIENT_BALANCE');
  const held = { ...trigger, holdLamports: lamports, holds: trigger.holds + 1 };
  await postEntries(sql, [entryOf('trigger-hold', held, at)]);
  return held;
}

/** Gives back what these hold; whoever calls saves them without it. */
export async function releaseFunds(sql: Sql, triggers: readonly Trigger[], at: Date): Promise<void> {
  const holding = triggers.filter(({ holdLamports }) => holdLamports > 0n);
  await postEntries(
    sql,
    holding.map((trigger) => entryOf('trigger-release', trigger, at)),
  );
}

function entryOf(kind: 'trigger-hold' | 'trigger-release', trigger: Trigger, at: Date): JournalEntry {
  const { id, bookId, holds, holdLamports } = trigger;
  const sign = kind === 'trigger-hold' ? 1n : -1n;
  return {
    kind,
    reference: `${id} ${holds}`,
    at,
    postings: [
      { bookId, account: 'cash', asset: SOL, amount: -sign * holdLamports },
      { bookId, account: 'held', asset: SOL, amount: sign * holdLamports },
    ],
  };
}
