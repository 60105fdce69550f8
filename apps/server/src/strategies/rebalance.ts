import { AppError } from '@hunter/contract/app-error';
import { planRebalance } from '@hunter/domain/rebalance-plan';
import type { Order } from '../trading/order.ts';
import { requestOrderId } from '../trading/request-order-id.ts';
import { holdingValue, loadHoldings } from './book-holdings.ts';
import { placeStrategyRound } from './copying/place-strategy-round.ts';
import {
  NETWORK_FEE_LAMPORTS,
  OPENING_SLIPPAGE_BPS,
  REBALANCE_DUST_LAMPORTS,
  RENT_LAMPORTS,
  SELL_RESERVE_LAMPORTS,
} from './costs.ts';
import { readTargets, type TargetCoin } from './create-strategy.ts';
import type { Strategies } from './strategies.ts';
import { loadOwnStrategy } from './strategy-store.ts';

/**
 * Trades a strategy to new weights, sells before buys, each as a round with all followers. A step that is refused leaves the others
 * standing: weights that cannot be reached are no reason to stay where nobody wants to be.
 */
export async function rebalance(
  parts: Strategies,
  userId: string,
  request: { slug: string; coins: readonly TargetCoin[] },
  requestKey: string,
): Promise<Order[]> {
  const strategy = await loadOwnStrategy(parts.database, userId, request.slug);
  if (strategy.status === 'publishing') throw new AppError('REQUEST_IN_PROGRESS');
  if (strategy.status !== 'running') throw new AppError('STRATEGY_ENDED');
  const targets = await readTargets(parts, request.coins);
  const book = (await loadHoldings(parts.database, [strategy.bookId])).get(strategy.bookId)!;
  const pools = await parts.pools.load([...book.tokens.keys()]);
  const plan = planRebalance({
    freeLamports: book.freeLamports,
    positions: [...book.tokens].map(([mint, tokens]) => {
      const liquidationLamports = holdingValue(pools, mint, tokens);
      if (liquidationLamports === null) throw new AppError('UNAVAILABLE');
      return { mint, tokens, liquidationLamports };
    }),
    targets,
    dustLamports: REBALANCE_DUST_LAMPORTS,
    feeLamports: NETWORK_FEE_LAMPORTS,
    rentLamports: RENT_LAMPORTS,
    reserveLamports: SELL_RESERVE_LAMPORTS,
  });
  const steps = [
    ...plan.sells.map(({ mint, tokens }) => ({ side: 'sell' as const, mint, amountIn: tokens })),
    ...plan.buys.map(({ mint, spendLamports }) => ({ side: 'buy' as const, mint, amountIn: spendLamports })),
  ];
  const orders: Order[] = [];
  let refused: unknown = null;
  for (const step of steps) {
    try {
      const { order } = await placeStrategyRound(parts, {
        ...step,
        strategyId: strategy.id,
        id: requestOrderId('rebalance', strategy.id, requestKey, step.side, step.mint),
        amountIn: step.side === 'buy' ? await affordable(parts, strategy.bookId, step.amountIn) : step.amountIn,
        slippageBps: OPENING_SLIPPAGE_BPS,
        kind: 'rebalance',
      });
      orders.push(order);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      refused = error;
    }
  }
  if (orders.length === 0 && refused !== null) throw refused;
  return orders;
}

/** Sells may have brought less than expected; a buy shrinks to what is there. */
async function affordable(parts: Strategies, bookId: string, wanted: bigint): Promise<bigint> {
  const { freeLamports } = (await loadHoldings(parts.database, [bookId])).get(bookId)!;
  const most = freeLamports - NETWORK_FEE_LAMPORTS - RENT_LAMPORTS - SELL_RESERVE_LAMPORTS;
  return wanted < most ? wanted : most > 0n ? most : wanted;
}
