import type { Side } from '@hunter/domain/market/swap-maths';
import type { Address } from '@hunter/solana/address';
import { enqueueAll } from '../platform/outbox.ts';
import type { Sql } from '../platform/postgres.ts';
import type { OrderKind } from './order.ts';

// What trading tells the areas above, through the outbox, in the transaction that decides it. Amounts are decimal text: the
// payload is JSON.

export type FillRecorded = {
  orderId: string;
  userId: string;
  bookId: string;
  kind: OrderKind;
  mint: Address;
  side: Side;
  signature: string;
  slot: string;
  tokens: string;
  lamports: string;
  feeLamports: string;
  atMs: number;
};

/** Topic `fill-recorded`: orders that traded. */
export type FillsRecorded = { fills: FillRecorded[] };

export const FILLS_TOPIC = 'fill-recorded';

/** Topic `round-ended`: a round whose allocations have all been filled or given a reason. */
export type RoundEnded = { orderId: string };

export const ROUND_ENDED_TOPIC = 'round-ended';

export async function enqueueRounds(sql: Sql, orderIds: readonly string[]): Promise<void> {
  const payloads: RoundEnded[] = orderIds.map((orderId) => ({ orderId }));
  await enqueueAll(sql, ROUND_ENDED_TOPIC, payloads);
}

const EVENTS_PER_ROW = 500;

export async function enqueueFills(sql: Sql, fills: readonly FillRecorded[]): Promise<void> {
  const payloads: FillsRecorded[] = [];
  for (let start = 0; start < fills.length; start += EVENTS_PER_ROW) {
    payloads.push({ fills: fills.slice(start, start + EVENTS_PER_ROW) });
  }
  await enqueueAll(sql, FILLS_TOPIC, payloads);
}

/** Topic `fill-undone`: what was recorded under these signatures did not happen, or did something else. */
export type FillsUndone = { bookIds: string[]; signatures: string[] };

export const UNDONE_TOPIC = 'fill-undone';

export async function enqueueUndone(sql: Sql, undone: FillsUndone): Promise<void> {
  if (undone.signatures.length > 0) await enqueueAll(sql, UNDONE_TOPIC, [undone]);
}

/** Topic `rent-returned`: deposits of token accounts that came back to the books of strategies. */
export type RentReturned = { bookIds: string[] };

export const RENT_RETURNED_TOPIC = 'rent-returned';

export async function enqueueRentReturned(sql: Sql, bookIds: readonly string[]): Promise<void> {
  if (bookIds.length > 0) await enqueueAll(sql, RENT_RETURNED_TOPIC, [{ bookIds }]);
}
