import { AppError } from '@hunter/contract/app-error';
import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import type { FastifyInstance } from 'fastify';
import { loadAccount, loadPositions, loadTokenAmount } from '../../portfolio/account-reads.ts';
import { loadOrderOf } from '../../trading/order-store.ts';
import { orderView } from '../../trading/order-view.ts';
import { requireToken } from '../../market/token-facts.ts';
import { closePosition, quoteTrade, trade } from '../../trading/trade.ts';
import { loadTradeRecord } from '../../portfolio/trade-record.ts';
import { exportTradeRecord } from '../../portfolio/trade-record-csv.ts';
import type { Trading } from '../../trading/trading.ts';
import type { Authenticate, Handlers, SignedInCaller } from '../handlers.ts';

type StrategyRecord = Extract<CallReply<'getMyTradeRecord'>, { type: 'strategy' }>;

/** The strategy view of the trade record belongs to the strategies, which answer it here. */
export type LoadStrategyRecord = (
  userId: string,
  request: CallParsedRequest<'getMyTradeRecord'>,
) => Promise<StrategyRecord>;

export function tradingHandlers(trading: Trading, loadStrategyRecord: LoadStrategyRecord) {
  return {
    quote: (request, caller) => quoteTrade(trading, request, caller.session?.userId ?? null),
    tokenTransfer: (request, caller) => trade(trading, request, requested(caller)),
    tokenClose: (request, caller) => closePosition(trading, request, requested(caller)),
    getOrder: async ({ id }, { session }) => {
      const order = await loadOrderOf(trading.database, session.userId, id);
      if (!order) throw new AppError('NOT_FOUND');
      return orderView(order, (await requireToken(trading.tokens, order.mint)).decimals);
    },
    getMyTokenAmount: ({ tokenContractAddress }, { session }) =>
      loadTokenAmount(trading, session.userId, tokenContractAddress),
    getMyPositions: (request, { session }) => loadPositions(trading, session.userId, request),
    getMyAccount: (_request, { session }) => loadAccount(trading, session.userId),
    getMyTradeRecord: (request, { session }) =>
      request.type === 'trade'
        ? loadTradeRecord(trading, session.userId, request)
        : loadStrategyRecord(session.userId, request),
  } satisfies Partial<Handlers>;
}

const EXPORT_AGAIN_SECONDS = 5;

/** The trade record as a file. It is no JSON call, so it stands beside the contract. One at a time for each user. */
export function registerTradeRecordExport(app: FastifyInstance, trading: Trading, authenticate: Authenticate): void {
  const exporting = new Set<string>();
  app.get('/api/user/getMyTradeRecord.csv', async (request, reply) => {
    const token = request.headers['token'];
    const session = typeof token === 'string' && token !== '' ? await authenticate(token) : null;
    if (!session) throw new AppError('UNAUTHENTICATED');
    if (exporting.has(session.userId)) {
      throw new AppError('RATE_LIMITED', { retryAfterSeconds: EXPORT_AGAIN_SECONDS });
    }
    exporting.add(session.userId);
    try {
      return await reply
        .header('content-type', 'text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="hunter-trade-record.csv"')
        .header('cache-control', 'no-store')
        .send(await exportTradeRecord(trading, session.userId));
    } finally {
      exporting.delete(session.userId);
    }
  });
}

/** Behind the idempotency wrapper the key is always there; without it a request is only like itself. */
function requested(caller: SignedInCaller): { key: string; userId: string } {
  return { key: caller.idempotencyKey ?? caller.requestId, userId: caller.session.userId };
}
