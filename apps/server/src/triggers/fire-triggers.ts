// From "its condition holds" to an order. One transaction asks for the lease, locks the rows, decides again by what they say now, and
// writes the order of a personal book with its hold. Whoever comes second, after a crash, in a replay or as a server that was replaced,
// finds the row `firing` or the lease lost. In a strategy's book the transaction fixes the order's id; the strategy's lane places it,
// and the same id again is the same order.

import type { ErrorName } from '@hunter/contract/error-catalogue';
import { creatorWaitMs } from '@hunter/domain/copying/conflict-of-interest';
import { unitsIn, type Ratio } from '@hunter/domain/market/swap-maths';
import { decideTrigger } from '@hunter/domain/triggers/decide-trigger';
import { isBoundToPosition, isStop, sizeOf } from '@hunter/domain/triggers/trigger';
import { leastOut, priceInSol, type PriceScale } from '@hunter/domain/triggers/trigger-price';
import { loadCashAt } from '../ledger/balances.ts';
import { isInStrategyWallet } from '../ledger/books.ts';
import { lockCoinsOfCreators } from '../ledger/creator-coins.ts';
import { keyOf, loadOpenPositions, type OpenPosition } from '../ledger/positions.ts';
import { requireLease } from '../platform/leases.ts';
import type { Sql } from '../platform/postgres.ts';
import type { HeldOrder, NewOrder } from '../trading/order.ts';
import { requestOrderId } from '../trading/request-order-id.ts';
import { lastStrategyBuys } from '../trading/trade.ts';
import { triggerAfterOrder } from './after-order.ts';
import { alertOfEnds } from './alert-triggers.ts';
import { releaseFunds } from './hold-funds.ts';
import { placeInLane } from './place-in-lane.ts';
import { orderOfFiring } from './order-of-firing.ts';
import { isOfPosition } from './position-binding.ts';
import { tellTriggers } from './tell-triggers.ts';
import { ended, type Firing, type Trigger } from './trigger.ts';
import { lockTriggers, saveTriggers } from './trigger-store.ts';
import type { Triggers } from './triggers.ts';

/** A trigger whose condition was found to hold, and what it was found with. */
export type FiringCall = {
  id: string;
  /** What its order would pay or get per base unit, by its size; null where nobody prices the token. */
  priceOf: ((size: bigint) => Ratio | null) | null;
  scale: PriceScale;
  /** When the token's creator sold, where that is what it was found with. */
  creatorSoldAtMs: number | null;
  hasGraduated: boolean;
};

/** How long a stop waits whose tokens are all in other orders, or while another of its group is firing. */
const LATER_MS = 5_000;

/** Of the columns of prices. */
const PRICE_DIGITS = 60n;

type Fired = { trigger: Trigger; order: NewOrder & { id: string }; firing: Firing };
type Decided = {
  /** Those that do not fire but are no longer what they were. */
  changed: Trigger[];
  fired: Fired[];
  /** Rows as they were, whose money goes back to their books. */
  releasing: Trigger[];
};

/** Fires those that still may, and answers whom that changed. Their orders go on by themselves; settling hears how they end. */
export async function fireTriggers(deps: Triggers, calls: readonly FiringCall[]): Promise<readonly Trigger[]> {
  if (calls.length === 0) return [];
  const { database, engine, clock } = deps.trading;
  const { changed, fired, held } = await database.transaction(async (sql) => {
    // What does not wait for each other's answers here and below is asked for together; the database answers it in this order.
    const ids = calls.map(({ id }) => id);
    const [, rows] = await Promise.all([requireLease(sql, deps.lease()), lockTriggers(sql, ids)]);
    const now = new Date(clock.nowMs());
    const decided = await decideCalls(sql, calls, rows, now);
    await releaseFunds(sql, decided.releasing, now);
    const { held, refused } = await placePersonal(deps, sql, decided.fired, now);
    const placed = decided.fired.filter(({ trigger }) => !refused.has(trigger.id));
    const saved = [...decided.changed, ...refused.values(), ...placed.map(({ trigger }) => trigger)];
    const firings = placed.map(({ firing }) => firing);
    await saveTriggers(sql, saved, firings);
    await alertOfEnds(deps, sql, saved);
    return { changed: saved, fired: placed, held };
  });
  engine.carryOut(held);
  for (const { trigger, order } of fired)
    if (isInStrategyWallet(trigger.bookKind)) placeInLane(deps, trigger.id, order);
  await tellTriggers(deps, changed);
  return changed;
}

/** Orders of personal books are written here and now. */
async function placePersonal(
  { trading: { engine } }: Triggers,
  sql: Sql,
  fired: readonly Fired[],
  now: Date,
): Promise<{ held: HeldOrder[]; refused: Map<string, Trigger> }> {
  const own = fired.filter(({ trigger }) => !isInStrategyWallet(trigger.bookKind));
  const orders = own.map(({ order }) => order);
  const placed = await engine.placeIn(sql, orders);
  const held: HeldOrder[] = [];
  const refused = new Map<string, Trigger>();
  own.forEach(({ trigger }, place) => {
    const result = placed[place]!;
    if (result.kind === 'held') held.push(result.held);
    else if (result.kind === 'refused') refused.set(trigger.id, afterRefusal(trigger, result.error, now));
  });
  return { held, refused };
}

/** Nothing was written for its order, so there is none to name. */
function afterRefusal(trigger: Trigger, error: ErrorName, now: Date): Trigger {
  return { ...triggerAfterOrder(trigger, error, now), orderId: null };
}

async function decideCalls(
  sql: Sql,
  calls: readonly FiringCall[],
  rows: readonly Trigger[],
  now: Date,
): Promise<Decided> {
  const selling = rows.filter(({ rule, bookKind }) => rule.side === 'sell' && !isInStrategyWallet(bookKind));
  const [positions, cash, ofCreators] = await Promise.all([
    loadOpenPositions(sql, rows),
    loadCashAt(
      sql,
      rows.map(({ bookId, mint }) => ({ bookId, asset: mint })),
    ),
    lockCoinsOfCreators(sql, selling),
  ]);
  // Nearly nobody has a strategy, and where nobody has, the answer would take longer than all others.
  const bought = await lastStrategyBuys(sql, ofCreators, now);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const busyGroups = new Set(rows.flatMap((row) => (row.state === 'firing' ? (exclusiveGroup(row) ?? []) : [])));
  const decided: Decided = { changed: [], fired: [], releasing: [] };
  for (const { call, row } of inOrder(calls, byId)) {
    const group = exclusiveGroup(row);
    if (row.state === 'paused' && row.rule.expiresAtMs !== null && row.rule.expiresAtMs <= now.getTime()) {
      decided.changed.push(ended(row, 'expired', now));
      decided.releasing.push(row);
    }
    if (row.state !== 'open') continue;
    if (group !== null && busyGroups.has(group)) {
      // Nobody tells of the sale again.
      if (row.rule.kind === 'creator-sells' && soldSince(row, call.creatorSoldAtMs))
        decided.changed.push(later(row, now));
      continue;
    }
    const key = keyOf(row.bookId, row.mint);
    const step = decideCall(row, call, {
      position: positions.get(key),
      held: cash.get(key) ?? 0n,
      strategyBoughtAt: bought.get(`${row.userId} ${row.mint}`) ?? null,
      now,
    });
    if (step === null) continue;
    if (step.kind === 'fire') {
      decided.fired.push(step.fired);
      if (group !== null) busyGroups.add(group);
    } else decided.changed.push(step.trigger);
    if (step.kind === 'fire' || step.trigger.state === 'ended') decided.releasing.push(row);
  }
  return decided;
}

function later(row: Trigger, now: Date): Trigger {
  return { ...row, retryAt: new Date(+now + LATER_MS) };
}

/** Stops first, then by age: of a group only the first fires. */
function inOrder(
  calls: readonly FiringCall[],
  rows: ReadonlyMap<string, Trigger>,
): { call: FiringCall; row: Trigger }[] {
  const known = calls.flatMap((call) => {
    const row = rows.get(call.id);
    return row ? [{ call, row }] : [];
  });
  const rank = ({ row }: { row: Trigger }): number => (isStop(row.rule.kind) ? 0 : 1);
  return known.sort((left, right) => rank(left) - rank(right) || +left.row.createdAt - +right.row.createdAt);
}

function exclusiveGroup({ group }: Trigger): string | null {
  return group?.kind === 'one-cancels-other' ? group.id : null;
}

type Step = { kind: 'change'; trigger: Trigger } | { kind: 'fire'; fired: Fired };
type Book = { position: OpenPosition | undefined; held: bigint; strategyBoughtAt: Date | null; now: Date };

function decideCall(row: Trigger, call: FiringCall, book: Book): Step | null {
  const { rule } = row;
  const { now } = book;
  if (isBoundToPosition(rule) && !isOfPosition(row, book.position)) {
    return { kind: 'change', trigger: ended(row, 'position-closed', now) };
  }
  const size = sizeOf(rule, book.held);
  const price = call.priceOf?.(size) ?? null;
  const isRetry = row.retryAt !== null && row.retryAt <= now;
  const { scale, hasGraduated } = call;
  const moment = {
    nowMs: now.getTime(),
    price,
    scale,
    creatorSold: soldSince(row, call.creatorSoldAtMs),
    hasGraduated,
  };
  const decision = isRetry ? ({ kind: 'fire' } as const) : decideTrigger(rule, moment);
  switch (decision.kind) {
    case 'expire':
      return { kind: 'change', trigger: ended(row, 'expired', now) };
    case 'postpone':
      return {
        kind: 'change',
        trigger: { ...row, rule: { ...rule, schedule: { ...rule.schedule!, nextAtMs: decision.nextAtMs } } },
      };
    case 'wait':
      if (!decision.trailing) return null;
      return { kind: 'change', trigger: { ...row, rule: { ...rule, trailing: decision.trailing } } };
    case 'fire':
  }
  const waitMs = waitBeforeSelling(row, size, book);
  if (waitMs > 0) {
    return isStop(rule.kind) ? { kind: 'change', trigger: { ...row, retryAt: new Date(+now + waitMs) } } : null;
  }
  return { kind: 'fire', fired: firedFrom(row, size, price, call.scale, now) };
}

/** The chain counts in seconds: a sale in the second of the placing counts as after it. */
export function soldSince({ createdAt }: Trigger, soldAtMs: number | null): boolean {
  return soldAtMs !== null && soldAtMs + 1_000 > createdAt.getTime();
}

/** A creator's own sale waits until ten minutes have passed since his strategy bought, by hand and by trigger alike. */
function waitBeforeSelling(row: Trigger, size: bigint, { strategyBoughtAt, now }: Book): number {
  if (row.rule.side === 'buy') return 0;
  if (size === 0n) return LATER_MS;
  if (isInStrategyWallet(row.bookKind)) return 0;
  return creatorWaitMs(strategyBoughtAt?.getTime() ?? null, now.getTime());
}

function firedFrom(row: Trigger, size: bigint, price: Ratio | null, scale: PriceScale, now: Date): Fired {
  const { side, level, kind } = row.rule;
  // A stop that is tried again stays within what its owner allowed when it first fired.
  const bound = isStop(kind) && row.firstPrice !== null ? priceFromSol(row.firstPrice, scale) : price;
  const solPrice = price && keepable(priceInSol(price, scale));
  const firing: Firing = {
    triggerId: row.id,
    firing: row.firings + 1,
    orderId: requestOrderId('trigger', row.id, String(row.firings + 1)),
    amountIn: unitsIn(side, size),
    minOut: leastOut({ side, size, level, slippageBps: row.slippageBps, price: bound }, scale),
    price: solPrice,
    at: now,
  };
  const trigger: Trigger = {
    ...row,
    state: 'firing',
    firings: firing.firing,
    orderId: firing.orderId,
    orderError: null,
    retryAt: null,
    firstFiredAt: row.firstFiredAt ?? now,
    firedAt: now,
    firstPrice: row.firstPrice ?? solPrice,
    firedPrice: solPrice,
    holdLamports: 0n,
  };
  return { trigger, firing, order: orderOfFiring(trigger, firing) };
}

/** Strangers make tokens of up to 255 decimals, of which a whole one has a price that no column holds. */
function keepable(solPrice: bigint): bigint | null {
  return solPrice < 10n ** PRICE_DIGITS ? solPrice : null;
}

function priceFromSol(value: bigint, { decimals }: PriceScale): Ratio {
  return { numerator: value, denominator: 10n ** BigInt(decimals + 9) };
}
