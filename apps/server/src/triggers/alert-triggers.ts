import type { AlertBody } from '@hunter/contract/calls/alerts';
import { printDecimal } from '@hunter/domain/numbers/decimal';
import { SOL_DECIMALS } from '@hunter/domain/numbers/lamports';
import { raiseAlerts } from '../alerts/raise-alerts.ts';
import type { Sql } from '../platform/postgres.ts';
import { loadOrders } from '../trading/order-store.ts';
import type { Trigger } from './trigger.ts';
import type { Triggers } from './triggers.ts';

/** What its owner did himself, or follows from it, is not told again. */
const UNTOLD: ReadonlySet<Trigger['outcome']> = new Set([
  'canceled',
  'other-fired',
  'position-closed',
  'entry-not-filled',
]);

/** Tells owners of triggers that ended by themselves, in the transaction that ends them. */
export function alertOfEnds(deps: Pick<Triggers, 'trading'>, sql: Sql, triggers: readonly Trigger[]): Promise<void> {
  const ended = triggers.filter(({ state, outcome }) => state === 'ended' && !UNTOLD.has(outcome));
  return alertOf(deps, sql, ended, ({ outcome }) =>
    outcome === 'filled' || outcome === 'schedule-done' ? 'filled' : outcome === 'expired' ? 'expired' : 'failed',
  );
}

/** Tells owners whose triggers wait again after they had ended. */
export function alertOfReopened(
  deps: Pick<Triggers, 'trading'>,
  sql: Sql,
  triggers: readonly Trigger[],
): Promise<void> {
  return alertOf(deps, sql, triggers, () => 'reopened');
}

type TriggerBody = Extract<AlertBody, { kind: 'trigger' }>;

async function alertOf(
  { trading: { tokens } }: Pick<Triggers, 'trading'>,
  sql: Sql,
  triggers: readonly Trigger[],
  outcomeOf: (trigger: Trigger) => TriggerBody['outcome'],
): Promise<void> {
  if (triggers.length === 0) return;
  const facts = await tokens.load([...new Set(triggers.map(({ mint }) => mint))], sql);
  const orders = await loadOrders(
    sql,
    triggers.flatMap(({ orderId }) => orderId ?? []),
  );
  const byId = new Map(orders.map((order) => [order.id, order]));
  await raiseAlerts(
    sql,
    triggers.map((trigger) => {
      const { id, userId, mint, rule, firings, orderId } = trigger;
      const outcome = outcomeOf(trigger);
      const order = orderId === null ? undefined : byId.get(orderId);
      const lamports = rule.side === 'buy' ? order?.filledIn : order?.filledOut;
      return {
        userId,
        // The same trigger can end again after the chain took its trade back.
        reference: `${id} ${firings} ${outcome}`,
        body: {
          kind: 'trigger',
          tokenContractAddress: mint,
          tokenSymbol: facts.get(mint)?.symbol ?? mint.slice(0, 4),
          type: rule.kind,
          side: rule.side,
          outcome,
          solAmount: lamports == null ? null : printDecimal(lamports, SOL_DECIMALS),
          txHash: order?.signature ?? null,
        },
      };
    }),
  );
}
