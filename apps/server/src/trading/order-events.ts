import type { ErrorName } from '@hunter/contract/error-catalogue';
import type { Side } from '@hunter/domain/swap-maths';
import { enqueueAll as enqueueEach } from '../platform/outbox.ts';
import type { Sql } from '../platform/postgres.ts';
import type { OrderKind } from './order.ts';

// What trading tells the areas above, through the outbox, in the transaction that decides it. One row carries many orders,
// because a round settles thousands at once. Amounts are decimal text: the payload is JSON.

export type OrderEnded = {
  orderId: string;
  userId: string;
  bookId: string;
  kind: OrderKind;
  parentId: string | null;
  roundId: string | null;
  mint: string;
  side: Side;
  error: ErrorName | null;
};

export type FillRecorded = Omit<OrderEnded, 'error'> & {
  signature: string;
  slot: string;
  tokens: string;
  lamports: string;
  feeLamports: string;
  atMs: number;
};

/** Topic `fill-recorded`: orders that traded. */
export type FillsRecorded = { fills: FillRecorded[] };
/** Topic `order-failed`: orders that ended without a trade, by a refusal, a failure on chain or being given up. */
export type OrdersFailed = { orders: OrderEnded[] };

const EVENTS_PER_ROW = 500;

export async function enqueueAll(
  sql: Sql,
  topic: 'fill-recorded' | 'order-failed',
  name: 'fills' | 'orders',
  events: readonly (OrderEnded | FillRecorded)[],
): Promise<void> {
  if (events.length === 0) return;
  const payloads: unknown[] = [];
  for (let start = 0; start < events.length; start += EVENTS_PER_ROW) {
    payloads.push({ [name]: events.slice(start, start + EVENTS_PER_ROW) });
  }
  await enqueueEach(sql, topic, payloads);
}
