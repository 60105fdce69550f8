import type { FillsRecorded, OrdersFailed } from '../../trading/order-events.ts';
import { markStrategies } from '../performance/mark-strategies.ts';
import type { Strategies } from '../strategies.ts';
import { expireUnplaced, finishRounds, settleCopies } from './copy-store.ts';

/** What trading writes to the outbox. */
export const FILLS_TOPIC = 'fill-recorded';
export const ORDERS_FAILED_TOPIC = 'order-failed';

const BATCH = 200;

/**
 * Ends rounds that nobody in this process has in hand. Orders of copies are finished by the engine; intents without an order were
 * never handed over and expire.
 */
export async function resumeRounds(parts: Strategies): Promise<void> {
  const { database, lanes, clock } = parts;
  const rows = await database.query<{ id: string }>(
    `select id from copy_round where state = 'planned' and id <> all($1::uuid[]) order by created_at limit $2`,
    [lanes.inHand(), BATCH],
  );
  if (rows.length === 0) return;
  const roundIds = rows.map((row) => row.id);
  const now = new Date(clock.nowMs());
  await expireUnplaced(database, roundIds, now);
  await settleCopies(database, { roundIds }, now);
  await finishRounds(database, roundIds);
}

/** Outbox `fill-recorded`: copies and strategies whose books traded. At least once, in any order. */
export async function onFills(parts: Strategies, { fills }: FillsRecorded): Promise<void> {
  await settle(parts, fills);
  const rows = await parts.database.query<{ id: string }>(
    `select id from strategy where book_id = any($1::uuid[]) and status <> 'ended'`,
    [[...new Set(fills.map((fill) => fill.bookId))]],
  );
  await markStrategies(
    parts,
    rows.map((row) => row.id),
  );
}

/** Outbox `order-failed`. */
export async function onOrdersFailed(parts: Strategies, { orders }: OrdersFailed): Promise<void> {
  await settle(parts, orders);
}

async function settle(parts: Strategies, ended: readonly { orderId: string; kind: string }[]): Promise<void> {
  const orderIds = ended.filter(({ kind }) => kind === 'copy').map(({ orderId }) => orderId);
  if (orderIds.length === 0) return;
  const settled = await settleCopies(parts.database, { orderIds }, new Date(parts.clock.nowMs()));
  const rounds = [...new Set(settled.map(({ roundId }) => roundId))];
  if (rounds.length > 0) await finishRounds(parts.database, rounds);
}
