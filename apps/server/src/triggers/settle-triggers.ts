import type { Ratio } from '@hunter/domain/market/swap-maths';
import { protectiveLevel } from '@hunter/domain/triggers/protective-level';
import { isInStrategyWallet } from '../ledger/books.ts';
import { keyOf, loadOpenPositions, type OpenPosition } from '../ledger/positions.ts';
import { requireToken } from '../market/token-facts.ts';
import { hasTraded, isSettled, mayGoOnAlone, type Order } from '../trading/order.ts';
import { loadOrders } from '../trading/order-store.ts';
import { aloneOrderId } from '../trading/request-order-id.ts';
import { orderOfFiring } from './order-of-firing.ts';
import { placeInLane } from './place-in-lane.ts';
import { change, settleFiring } from './settle-firing.ts';
import { ended, type Trigger } from './trigger.ts';
import { loadFirings } from './trigger-store.ts';
import type { Triggers } from './triggers.ts';

/** Each is a transaction of its own, and on a busy database most of its time is waiting. Fewer than triggers have connections. */
const PARALLEL = 4;

/** Carries on triggers whose order, or the buy they were written with, may have ended.  */
export async function settleTriggers(deps: Triggers, triggers: readonly Trigger[]): Promise<void> {
  const ids = triggers.flatMap(({ orderId, entryOrderId, state }) => {
    const id = state === 'waiting' ? entryOrderId : orderId;
    return id === null ? [] : [id, aloneOrderId(id)];
  });
  const orders = new Map((await loadOrders(deps.trading.database, ids)).map((order) => [order.id, order]));
  const queue = triggers.values();
  const worker = async (): Promise<void> => {
    for (const trigger of queue) await settleOne(deps, trigger, orders);
  };
  const workers = await Promise.allSettled(Array.from({ length: PARALLEL }, worker));
  const failed = workers.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
}

async function settleOne(deps: Triggers, trigger: Trigger, orders: ReadonlyMap<string, Order>): Promise<void> {
  if (trigger.state === 'waiting') {
    const order = orders.get(trigger.entryOrderId!);
    if (order && isSettled(order.state)) await armTrigger(deps, trigger.id, hasTraded(order));
  } else if (trigger.state === 'firing') {
    const alone = orders.get(aloneOrderId(trigger.orderId!));
    const order = alone ?? orders.get(trigger.orderId!);
    // Only the lane knows whether the creator's own part goes on: fired again, the trigger would buy beside it.
    if (!order || (!alone && mayGoOnAlone(order))) await placeAgain(deps, trigger);
    else if (isSettled(order.state)) await settleFiring(deps, trigger.id, trigger.orderId!, order);
  }
}

/** A firing in a strategy's book whose order is missing, or is not the last of it; one that is being placed here is left alone. */
async function placeAgain(deps: Triggers, trigger: Trigger): Promise<void> {
  if (!isInStrategyWallet(trigger.bookKind) || trigger.orderId === null) return;
  const firing = (await loadFirings(deps.trading.database, [trigger.orderId])).get(trigger.id);
  if (!firing) return;
  placeInLane(deps, trigger.id, orderOfFiring(trigger, firing));
}

/** The buy it was written with has ended: it now belongs to that position, or has nothing to protect. */
async function armTrigger(deps: Triggers, triggerId: string, traded: boolean): Promise<void> {
  await change(deps, [triggerId], async (sql, rows, now) => {
    const row = rows.find(({ id }) => id === triggerId);
    if (row?.state !== 'waiting') return [];
    if (!traded) return [ended(row, 'entry-not-filled', now)];
    const position = (await loadOpenPositions(sql, [row])).get(keyOf(row.bookId, row.mint));
    if (!position) return [ended(row, 'position-closed', now)];
    const { decimals } = await requireToken(deps.trading.tokens, row.mint, sql);
    const when = row.rule.kind === 'stop-loss' ? 'below' : 'above';
    const level = row.wantedLevel && protectiveLevel(row.wantedLevel, when, averageCost(position), decimals);
    return [
      {
        ...row,
        state: 'open',
        rule: { ...row.rule, level },
        wantedLevel: null,
        position: { openedAt: position.openedAt, tripId: position.tripId },
      },
    ];
  });
}

/** Lamports per base unit of what was bought here, fees included; null where nothing was. */
export function averageCost({ costLamports, quantity }: OpenPosition): Ratio | null {
  return quantity === 0n ? null : { numerator: costLamports, denominator: quantity };
}
