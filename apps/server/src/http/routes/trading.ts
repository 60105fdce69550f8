import { AppError } from '@hunter/contract/app-error';
import { loadTokenAmount } from '../../portfolio/account-reads.ts';
import { loadOrdersOf } from '../../trading/order-store.ts';
import { orderView } from '../../trading/order-view.ts';
import { requireToken } from '../../market/token-facts.ts';
import { closePosition, quoteTrade } from '../../trading/trade.ts';
import { tradeAndProtect } from '../../triggers/trade-and-protect.ts';
import type { Trading } from '../../trading/trading.ts';
import { CallerReadLimit } from '../caller-read-limit.ts';
import type { Handlers, SignedInCaller } from '../handlers.ts';

const BOOK_QUOTES_PER_SECOND = 2;

export function tradingHandlers(trading: Trading, { bookQuotesPerSecond = BOOK_QUOTES_PER_SECOND } = {}) {
  // In a strategy's book each plans the parts of all who follow, however many they are.
  const bookQuotes = new CallerReadLimit(trading.clock, { perSecond: bookQuotesPerSecond, atOnce: 4, waiting: 100 });
  return {
    quote: (request, caller) => {
      const read = () => quoteTrade(trading, request, caller.session?.userId ?? null);
      return request.bookId === undefined || caller.session === null ? read() : bookQuotes.run(caller, read);
    },
    tokenTransfer: (request, caller) => tradeAndProtect(trading, request, requested(caller)),
    tokenClose: (request, caller) => closePosition(trading, request, requested(caller)),
    getOrder: async ({ id }, { session }) => {
      const [order] = await loadOrdersOf(trading.database, session.userId, [id]);
      if (!order) throw new AppError('NOT_FOUND');
      return orderView(order, (await requireToken(trading.tokens, order.mint)).decimals);
    },
    getMyTokenAmount: ({ tokenContractAddress }, { session }) =>
      loadTokenAmount(trading, session.userId, tokenContractAddress),
  } satisfies Partial<Handlers>;
}

/** Behind the idempotency wrapper the key is always there; without it a request is only like itself. */
function requested(caller: SignedInCaller): { key: string; userId: string } {
  return { key: caller.idempotencyKey ?? caller.requestId, userId: caller.session.userId };
}
