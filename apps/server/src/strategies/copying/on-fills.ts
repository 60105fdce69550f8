import type { FillsRecorded, FillsUndone, RentReturned } from '../../trading/order-events.ts';
import { markStrategies } from '../performance/mark-strategies.ts';
import type { Strategies } from '../strategies.ts';

/** Outbox `fill-recorded`: strategies whose books traded. At least once, in any order. */
export async function onFills(deps: Strategies, { fills }: FillsRecorded): Promise<void> {
  await markThoseOf(
    deps,
    fills.map((fill) => fill.bookId),
  );
}

/** Outbox `rent-returned`: free SOL that came without a trade is in the public record as soon as on the page. */
export function onRentReturned(deps: Strategies, { bookIds }: RentReturned): Promise<void> {
  return markThoseOf(deps, bookIds);
}

/** Outbox `fill-undone`: the public record shows nothing that the chain does not have. What took its place is recorded anew. */
export async function onFillsUndone(deps: Strategies, { bookIds, signatures }: FillsUndone): Promise<void> {
  await deps.database.query(
    `delete from strategy_event e using strategy s
     where s.id = e.strategy_id and s.book_id = any($1::uuid[]) and e.signature = any($2::text[]) and e.judged_at is null`,
    [bookIds, signatures],
  );
  await markThoseOf(deps, bookIds);
}

async function markThoseOf(deps: Strategies, bookIds: readonly string[]): Promise<void> {
  const rows = await deps.database.query<{ id: string }>(
    `select id from strategy where book_id = any($1::uuid[]) and status <> 'ended'`,
    [[...new Set(bookIds)]],
  );
  await markStrategies(
    deps,
    rows.map((row) => row.id),
  );
}
