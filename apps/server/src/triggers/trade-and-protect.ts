import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import { trade } from '../trading/trade.ts';
import type { Trading } from '../trading/trading.ts';
import { insertProtection } from './protect-buy.ts';
import { readProtect, refuse } from './read-request.ts';
import { requireWithinLimit } from './trigger-store.ts';
import type { Requested } from './place-triggers.ts';

/**
 * A trade; with protection, its triggers are in the transaction that places it: a crash leaves both or neither. Throws what `trade`
 * throws, TRIGGER_LIMIT and TRIGGERS_PER_DAY.
 */
export async function tradeAndProtect(
  trading: Trading,
  request: CallParsedRequest<'tokenTransfer'>,
  requested: Requested,
): Promise<CallReply<'tokenTransfer'>> {
  const { protect } = request;
  if (!protect) return trade(trading, request, requested);
  if (request.side !== 'buy') throw refuse('protect', 'choice');
  readProtect(protect);
  return trade(trading, request, requested, async (sql, order) => {
    await insertProtection(sql, order, protect, order.slippageBps);
    await requireWithinLimit(sql, requested.userId);
  });
}
