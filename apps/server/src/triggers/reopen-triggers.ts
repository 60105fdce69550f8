// A trade is posted once it is confirmed, and its trigger ends. Where the chain drops the trade with its fork, or makes it final with
// another outcome, the trigger is put right: what did not trade waits again, what traded after all has ended.

import type { ErrorName } from '@hunter/contract/error-catalogue';
import { isStop } from '@hunter/domain/triggers/trigger';
import { keyOf, loadOpenPositions } from '../ledger/positions.ts';
import type { Sql } from '../platform/postgres.ts';
import { hasTraded, isSettled, type Order } from '../trading/order.ts';
import { loadOrders } from '../trading/order-store.ts';
import { aloneOrderId } from '../trading/request-order-id.ts';
import { triggerAfterOrder } from './after-order.ts';
import { alertOfReopened } from './alert-triggers.ts';
import { isOfPosition } from './position-binding.ts';
import { change, followPositions } from './settle-firing.ts';
import { ended, isPausedByFreeze, type Trigger } from './trigger.ts';
import { loadFiredWith, loadRecent, loadFiringsSince } from './trigger-store.ts';
import type { Triggers } from './triggers.ts';

/** Long after a transaction of this age is final or gone. */
const WINDOW_MS = 15 * 60_000;

/** After orders have settled: those among them that traded and then did not, or the other way round. */
export async function reopenDropped(deps: Triggers, orders: readonly Order[]): Promise<void> {
  const dropped = orders.filter(({ error }) => error === 'TRADE_DROPPED');
  const others = orders.filter(({ error }) => error !== 'TRADE_DROPPED').map(({ id }) => id);
  const isNews = dropped.length > 0 || (others.length > 0 && (await isAnySettledAgain(deps, others)));
  if (!isNews) return;
  await reopenRecent(deps);
  await followPositions(deps, dropped);
}

async function isAnySettledAgain(deps: Triggers, orderIds: readonly string[]): Promise<boolean> {
  const { database, clock } = deps.trading;
  return (await planned(database, await loadFiredWith(database, orderIds), new Date(clock.nowMs()))).size > 0;
}

/** All that ended or fired lately; at a start, for what a crash kept from being told. */
export async function reopenRecent(deps: Triggers): Promise<void> {
  const { database, clock } = deps.trading;
  const now = new Date(clock.nowMs());
  const recent = await loadRecent(database, new Date(+now - WINDOW_MS));
  const suspects = await planned(database, recent, now);
  await change(deps, [...suspects.keys()], async (sql, rows, at) => {
    const changes = await planned(sql, rows, at);
    const wereEnded = new Set(rows.flatMap(({ id, state }) => (state === 'ended' ? id : [])));
    const reopened = [...changes.values()].filter(({ id, state }) => wereEnded.has(id) && state === 'open');
    await alertOfReopened(deps, sql, reopened);
    return [...changes.values()];
  });
}

/** By id, those that are not what their orders and positions say now, as they should be. */
async function planned(sql: Sql, rows: readonly Trigger[], now: Date): Promise<Map<string, Trigger>> {
  const orders = await loadOrders(
    sql,
    rows.flatMap(({ orderId }) => orderId ?? []),
  );
  const byId = new Map(orders.map((order) => [order.id, order]));
  const closed = rows.filter(({ outcome }) => outcome === 'position-closed');
  const positions = await loadOpenPositions(sql, closed);
  const changes = await planSchedules(sql, rows, { orders: byId, now });
  for (const row of rows) {
    if (row.rule.schedule !== null && changes.has(row.id)) continue;
    const order = row.orderId === null ? undefined : byId.get(row.orderId);
    const wasInError =
      row.outcome === 'position-closed' && isOfPosition(row, positions.get(keyOf(row.bookId, row.mint)));
    const changed = (order && afterOtherOutcome(row, order, now)) ?? (wasInError ? reopened(row, null, now) : null);
    if (changed) changes.set(row.id, changed);
  }
  // Whoever ended because one of its group had traded waits again with it.
  const groups = new Set([...changes.values()].flatMap(({ group, state }) => (state === 'open' && group?.id) || []));
  for (const row of rows) {
    if (row.outcome === 'other-fired' && groups.has(row.group!.id)) changes.set(row.id, reopened(row, null, now));
  }
  return changes;
}

/**
 * Schedules of which a purchase was taken back, the last one or one before it: what was made is counted anew. One that was done goes on;
 * one that ended otherwise makes no more and only counts right.
 */
async function planSchedules(
  sql: Sql,
  rows: readonly Trigger[],
  { orders, now }: { orders: ReadonlyMap<string, Order>; now: Date },
): Promise<Map<string, Trigger>> {
  const schedules = rows.filter(({ rule, state }) => rule.schedule !== null && state !== 'firing');
  const changes = new Map<string, Trigger>();
  if (schedules.length === 0) return changes;
  const ids = schedules.map(({ id }) => id);
  const recent = await loadPurchases(sql, ids, new Date(+now - WINDOW_MS));
  const suspects = schedules.filter(({ id }) => recent.get(id)?.includes('not-made'));
  if (suspects.length === 0) return changes;
  const all = await loadPurchases(
    sql,
    suspects.map(({ id }) => id),
    new Date(0),
  );
  for (const row of suspects) {
    const schedule = row.rule.schedule!;
    const done = (all.get(row.id) ?? []).filter((purchase) => purchase === 'made').length;
    if (done === schedule.done) continue;
    const last = row.orderId === null ? undefined : orders.get(row.orderId);
    const counted = {
      ...row,
      orderError: isPausedByFreeze(row) || !last ? row.orderError : hasTraded(last) ? null : last.error,
      rule: { ...row.rule, schedule: { ...schedule, done } },
    };
    changes.set(row.id, recounted(counted, done < schedule.count, now));
  }
  return changes;
}

function recounted(row: Trigger, isMissing: boolean, now: Date): Trigger {
  if (row.state !== 'ended') return isMissing ? row : ended(row, 'schedule-done', now);
  if (row.outcome !== 'schedule-done' || !isMissing) return row;
  return row.isCancelWanted ? ended(row, 'canceled', now) : { ...row, state: 'open', outcome: null, endedAt: null };
}

type Purchase = 'made' | 'not-made' | 'under-way';

async function loadPurchases(sql: Sql, ids: readonly string[], since: Date): Promise<Map<string, Purchase[]>> {
  const firings = await loadFiringsSince(sql, ids, since);
  const orderIds = firings.flatMap(({ orderId }) => [orderId, aloneOrderId(orderId)]);
  const orders = new Map((await loadOrders(sql, orderIds)).map((order) => [order.id, order]));
  const purchases = Map.groupBy(firings, ({ triggerId }) => triggerId);
  return new Map(
    [...purchases].map(([id, each]) => [
      id,
      each.map(({ orderId }): Purchase => {
        const placed = [orderId, aloneOrderId(orderId)].flatMap((one) => orders.get(one) ?? []);
        if (placed.some((order) => hasTraded(order))) return 'made';
        return placed.every(({ state }) => isSettled(state)) ? 'not-made' : 'under-way';
      }),
    ]),
  );
}

/** Null where it is what its order says. */
function afterOtherOutcome(row: Trigger, order: Order, now: Date): Trigger | null {
  if (!isSettled(order.state)) return null;
  if (hasTraded(order)) {
    return row.state === 'open' && row.orderError !== null ? triggerAfterOrder(row, null, now) : null;
  }
  const hadTraded = row.orderError === null && row.outcome === 'filled';
  return hadTraded ? reopened(row, order.error ?? 'TRADE_FAILED', now) : null;
}

/** A stop sells as soon as it can; everything else waits for its level or its time. */
function reopened(row: Trigger, error: ErrorName | null, now: Date): Trigger {
  const hadFired = error !== null;
  if (row.isCancelWanted) return ended({ ...row, orderError: error }, 'canceled', now);
  return {
    ...row,
    state: 'open',
    outcome: null,
    endedAt: null,
    orderError: error,
    retryAt: hadFired && isStop(row.rule.kind) ? now : null,
  };
}
