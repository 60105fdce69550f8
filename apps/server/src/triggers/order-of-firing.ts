import { isStop } from '@hunter/domain/triggers/trigger';
import type { NewOrder } from '../trading/order.ts';
import { insertProtection } from './protect-buy.ts';
import type { Firing, Trigger } from './trigger.ts';

/** The order of a firing: the same one however often it is asked for. Stops may sell into a pool that others are kept out of. */
export function orderOfFiring(trigger: Trigger, firing: Firing): NewOrder & { id: string } {
  const { userId, bookId, mint, slippageBps, protect, rule } = trigger;
  return {
    id: firing.orderId,
    userId,
    bookId,
    side: rule.side,
    mint,
    amountIn: firing.amountIn,
    slippageBps,
    kind: isStop(rule.kind) ? 'close' : 'trade',
    fit: rule.side === 'sell',
    ...(firing.minOut === null ? {} : { minOut: firing.minOut }),
    ...(protect === null
      ? {}
      : { alongside: async (sql, order) => void (await insertProtection(sql, order, protect, slippageBps)) }),
  };
}
