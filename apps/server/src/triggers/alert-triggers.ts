import { printDecimal } from '@hunter/domain/decimal';
import { SOL_DECIMALS } from '@hunter/domain/lamports';
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
export async function alertOfEnds(
  { trading: { tokens } }: Pick<Triggers, 'trading'>,
  sql: Sql,
  triggers: readonly Trigger[],
): Promise<void> {
  const ended = triggers.filter(({ state, outcome }) => state === 'ended' && !UNTOLD.has(outcome));
  if (ended.length === 0) return;
  const facts = await tokens.load([...new Set(ended.map(({ mint }) => mint))]);
  const orders = await loadOrders(
    sql,
    ended.flatMap(({ orderId }) => orderId ?? []),
  );
  const byId = new Map(orders.map((order) => [order.id, order]));
  await raiseAlerts(
    sql,
    ended.map(({ id, userId, mint, rule, outcome, orderId }) => {
      const order = orderId === null ? undefined : byId.get(orderId);
      const lamports = rule.side === 'buy' ? order?.filledIn : order?.filledOut;
      return {
        userId,
        reference: id,
        body: {
          kind: 'trigger',
          tokenContractAddress: mint,
          tokenSymbol: facts.get(mint)?.symbol ?? mint.slice(0, 4),
          type: rule.kind,
          side: rule.side,
          outcome:
            outcome === 'filled' || outcome === 'schedule-done'
              ? 'filled'
              : outcome === 'expired'
                ? 'expired'
                : 'failed',
          solAmount: lamports == null ? null : printDecimal(lamports, SOL_DECIMALS),
          txHash: order?.signature ?? null,
        },
      };
    }),
  );
}
