import type { ErrorName } from '@hunter/contract/error-catalogue';
import { lockBalances } from '../ledger/balances.ts';
import { loadStandingEntries, postEntries, reversalOf, type JournalEntry } from '../ledger/journal.ts';
import { keepRoundFills } from '../ledger/round-entries.ts';
import { undoFills } from '../ledger/undo-fills.ts';
import type { Sql } from '../platform/postgres.ts';
import { balanceEffect, decideUndo } from './decide-undo.ts';
import { enqueueUndone } from './order-events.ts';
import type { Order } from './order.ts';
import { releaseEntry } from './order-postings.ts';
import { loadOrders, lockOrders } from './order-store.ts';
import { clearFills, loadParts, skipParts } from './rounds/allocation-store.ts';
import { wholeOrder } from './rounds/round.ts';

// An order is posted once its transaction is confirmed. Where the chain drops it with its fork, or makes it final on another one with
// another outcome, its fill is taken back: the entry is reversed, its fills no longer count, and the order is as it was when it was
// sent. From there it is posted again, or it ends.

type Reopened = { order: Order; reversals: JournalEntry[] };

/** Reads what is to be taken back, with the orders locked. */
async function loadReopened(sql: Sql, ids: readonly string[], at: Date, cause: string): Promise<Reopened[]> {
  const orders = (await lockOrders(sql, ids)).filter(({ state }) => state === 'confirmed' || state === 'failed');
  const posted = await loadStandingEntries(
    sql,
    orders.map(({ id, state }) => ({ kind: state === 'failed' ? 'order-failed' : 'order-fill', reference: id })),
  );
  return orders.map((order) => ({
    order,
    reversals: posted
      .filter(({ reference }) => reference === order.id)
      .map((entry) => reversalOf(entry, { at, cause })),
  }));
}

/** Everything but the posting of the reversals, which the caller posts together with what comes instead. */
async function reopen(sql: Sql, reopened: readonly Reopened[], at: Date): Promise<void> {
  const ids = reopened.map(({ order }) => order.id);
  await keepRoundFills(sql, ids);
  const books = await clearFills(sql, ids);
  await undoFills(
    sql,
    [...ids, ...ids.map((id) => `${id} rest`), ...books.map(({ orderId, bookId }) => `${orderId} ${bookId}`)],
    at,
  );
  const created = reopened.filter(({ order }) => (order.rentLamports ?? 0n) > 0n);
  await sql.write(
    `delete from token_account t using unnest($1::uuid[], $2::text[]) v (wallet_id, mint)
     where t.wallet_id = v.wallet_id and t.mint = v.mint`,
    [created.map(({ order }) => order.walletId), created.map(({ order }) => order.mint)],
  );
  await sql.write(
    `update trade_order set state = 'sent', error = null, signature = null, slot = null, filled_in = null, filled_out = null,
       fee_lamports = null, venue_fee_lamports = null, rent_lamports = null, settled_at = null
     where id = any($1::uuid[])`,
    [ids],
  );
  await enqueueUndone(sql, {
    bookIds: reopened.map(({ order }) => order.bookId),
    signatures: reopened.map(({ order }) => order.signature!),
  });
}

/** Orders whose transaction is final with another outcome than was posted; answers what must be posted with the right one. */
export async function reopenOrders(
  sql: Sql,
  settlements: readonly { orderId: string; at: Date }[],
): Promise<JournalEntry[]> {
  if (settlements.length === 0) return [];
  const ids = settlements.map(({ orderId }) => orderId);
  const reopened = await loadReopened(sql, ids, settlements[0]!.at, 'final on another fork');
  await reopen(sql, reopened, settlements[0]!.at);
  return reopened.flatMap(({ reversals }) => reversals);
}

/**
 * Ends orders whose transaction the chain dropped after it was posted: as if nothing had been traded, and said so. Answers those it
 * could end now.
 */
export async function dropOrders(sql: Sql, ids: readonly string[], at: Date): Promise<Order[]> {
  const reopened = await loadReopened(sql, ids, at, 'dropped by the chain');
  const parts = await loadParts(
    sql,
    reopened.flatMap(({ order }) => (order.isRound ? [order.id] : [])),
    { evenFailed: true },
  );
  const undos = reopened.map(({ order, reversals }) => {
    const held = order.isRound ? (parts.get(order.id) ?? []) : [wholeOrder(order)];
    return { id: order.id, order, reversals, entries: [...reversals, releaseEntry(order, held, at)] };
  });
  const balances = await lockBalances(sql, [...balanceEffect(undos.flatMap(({ entries }) => entries)).keys()]);
  const { now } = decideUndo(undos, balances);
  if (now.length === 0) return [];
  await postEntries(
    sql,
    now.flatMap(({ entries }) => entries),
  );
  await reopen(sql, now, at);
  const endedIds = now.map(({ id }) => id);
  await sql.write(`update trade_order set state = 'dead', error = $2, settled_at = $3 where id = any($1::uuid[])`, [
    endedIds,
    'TRADE_DROPPED' satisfies ErrorName,
    at,
  ]);
  const ended = await loadOrders(sql, endedIds);
  await skipParts(
    sql,
    ended.filter(({ isRound }) => isRound),
  );
  for (const order of ended) order.participants = (parts.get(order.id) ?? []).map(({ userId }) => userId);
  return ended;
}
