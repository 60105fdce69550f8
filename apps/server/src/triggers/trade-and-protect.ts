import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import { AppError } from '@hunter/contract/app-error';
import { TRIGGERS_PER_USER_MAX } from '@hunter/domain/triggers/trigger';
import { trade } from '../trading/trade.ts';
import type { Trading } from '../trading/trading.ts';
import { insertProtection } from './protect-buy.ts';
import { readProtect, refuse } from './read-request.ts';
import { countOpen } from './trigger-store.ts';
import type { Requested } from './place-triggers.ts';

/** A trade; with protection, its triggers are in the transaction that places it: a crash leaves both or neither. */
export async function tradeAndProtect(
  trading: Trading,
  request: CallParsedRequest<'tokenTransfer'>,
  requested: Requested,
): Promise<CallReply<'tokenTransfer'>> {
  const { protect } = request;
  if (!protect) return trade(trading, request, requested);
  if (request.side !== 'buy') throw refuse('protect', 'choice');
  readProtect(protect);
  if ((await countOpen(trading.database, requested.userId)) + 3 > TRIGGERS_PER_USER_MAX) {
    throw new AppError('TRIGGER_LIMIT', { most: TRIGGERS_PER_USER_MAX });
  }
  return trade(trading, request, requested, async (sql, order) => {
    await insertProtection(sql, order, protect, order.slippageBps);
  });
}
