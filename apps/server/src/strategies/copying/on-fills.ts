import type { FillsRecorded } from '../../trading/order-events.ts';
import { markStrategies } from '../performance/mark-strategies.ts';
import type { Strategies } from '../strategies.ts';

/** Outbox `fill-recorded`: strategies whose books traded. At least once, in any order. */
export async function onFills(deps: Strategies, { fills }: FillsRecorded): Promise<void> {
  const rows = await deps.database.query<{ id: string }>(
    `select id from strategy where book_id = any($1::uuid[]) and status <> 'ended'`,
    [[...new Set(fills.map((fill) => fill.bookId))]],
  );
  await markStrategies(
    deps,
    rows.map((row) => row.id),
  );
}
