import type { ErrorName } from '@hunter/contract/error-catalogue';
import { isBoundToPosition } from '@hunter/domain/triggers/trigger';
import type { Address } from '@hunter/solana/address';
import { keyOf, loadOpenPositions } from '../ledger/positions.ts';
import { requireLease } from '../platform/leases.ts';
import type { Sql } from '../platform/postgres.ts';
import { hasTraded, isSettled, type Order } from '../trading/order.ts';
import { triggerAfterOrder } from './after-order.ts';
import { alertOfEnds } from './alert-triggers.ts';
import { releaseFunds } from './hold-funds.ts';
import { isOfPosition } from './position-binding.ts';
import { indexTriggers, tellTriggers } from './tell-triggers.ts';
import { ended, type Trigger } from './trigger.ts';
import { loadOfBooks, lockTriggers, saveTriggers } from './trigger-store.ts';
import type { Triggers } from './triggers.ts';

/** Takes a firing to its end; one that was settled before, or whose order is still open, is left alone. */
export async function settleFiring(
  deps: Triggers,
  triggerId: string,
  orderId: string,
  result: Order | ErrorName,
): Promise<void> {
  if (typeof result !== 'string' && !isSettled(result.state)) return;
  const error = typeof result === 'string' ? result : hasTraded(result) ? null : (result.error ?? 'TRADE_FAILED');
  await change(deps, [triggerId], async (sql, rows, now) => {
    const row = rows.find(({ id }) => id === triggerId);
    if (row?.state !== 'firing' || row.orderId !== orderId) return [];
    const settled = {
      ...triggerAfterOrder(row, error, now),
      orderId: typeof result === 'string' ? orderId : result.id,
    };
    const others =
      error === null && row.group?.kind === 'one-cancels-other' ? rows.filter(({ id }) => id !== triggerId) : [];
    const canceled = others.filter(({ state }) => state !== 'ended' && state !== 'firing');
    await releaseFunds(sql, canceled, now);
    return [settled, ...canceled.map((other) => ended(other, 'other-fired', now))];
  });
}

/**
 * After fills in these books: ends what belongs to positions that are flat by now, so that a later entry inherits nothing, and lets
 * the index know how much is left for the others.
 */
export async function followPositions(deps: Triggers, of: readonly { bookId: string; mint: Address }[]): Promise<void> {
  const { database } = deps.trading;
  const mints = [...new Set(of.map(({ mint }) => mint))];
  const bookIds = [...new Set(of.map(({ bookId }) => bookId))];
  const known = await loadOfBooks(database, mints, bookIds);
  if (known.length === 0) return;
  const suspects = await flatOnes(database, known);
  const changed = await change(
    deps,
    suspects.map(({ id }) => id),
    async (sql, rows, now) => (await flatOnes(sql, rows)).map((row) => ended(row, 'position-closed', now)),
  );
  const over = new Set(changed.map(({ id }) => id));
  await indexTriggers(
    deps,
    database,
    known.filter(({ id }) => !over.has(id)),
  );
}

async function flatOnes(sql: Sql, triggers: readonly Trigger[]): Promise<Trigger[]> {
  const bound = triggers.filter(
    ({ rule, state }) => isBoundToPosition(rule) && (state === 'open' || state === 'paused'),
  );
  const open = await loadOpenPositions(sql, bound);
  return bound.filter((trigger) => !isOfPosition(trigger, open.get(keyOf(trigger.bookId, trigger.mint))));
}

/** One transaction under the lease over locked rows; answers what it changed, after telling everybody. */
export async function change(
  deps: Triggers,
  ids: readonly string[],
  decide: (sql: Sql, rows: readonly Trigger[], now: Date) => Promise<Trigger[]>,
): Promise<Trigger[]> {
  if (ids.length === 0) return [];
  const { database, clock } = deps.trading;
  const changed = await database.transaction(async (sql) => {
    await requireLease(sql, deps.lease());
    const triggers = await decide(sql, await lockTriggers(sql, ids), new Date(clock.nowMs()));
    await saveTriggers(sql, triggers);
    await alertOfEnds(deps, sql, triggers);
    return triggers;
  });
  await tellTriggers(deps, changed);
  return changed;
}
