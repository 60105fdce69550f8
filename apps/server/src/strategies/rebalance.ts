import { AppError } from '@hunter/contract/app-error';
import { planRebalance } from '@hunter/domain/copying/rebalance-plan';
import { waitAtMost } from '../platform/clock.ts';
import type { Order } from '../trading/order.ts';
import { requestOrderId } from '../trading/request-order-id.ts';
import { holdingValue, loadHoldings } from './book-holdings.ts';
import { spendableBesideFloat } from './copying/creator-float.ts';
import { placeStrategyRound, type RoundRequest } from './copying/place-strategy-round.ts';
import { NETWORK_FEE_LAMPORTS, OPENING_SLIPPAGE_BPS, REBALANCE_DUST_LAMPORTS } from './costs.ts';
import { readTargets, type TargetCoin } from './create-strategy.ts';
import type { Strategies } from './strategies.ts';
import { loadOwnStrategy, type Strategy } from './strategy-store.ts';

/** How long the caller waits for the end of it; the rest is traded all the same. */
const REPLY_WAIT_MS = 10_000;

export type Rebalance = {
  orders: Order[];
  /** Trades that were refused: weights that cannot be reached are no reason to stay where nobody wants to be. */
  refused: number;
  /** Trades still to come when the answer was given. */
  remaining: number;
};

/** Trades a strategy to new weights, sells before buys, each as a round with all followers; one rebalance at a time. */
export async function rebalance(
  deps: Strategies,
  userId: string,
  request: { slug: string; coins: readonly TargetCoin[] },
  requestKey: string,
  waitMs = REPLY_WAIT_MS,
): Promise<Rebalance> {
  const strategy = await loadOwnStrategy(deps.database, userId, request.slug);
  if (strategy.status === 'publishing') throw new AppError('TRADE_UNDER_WAY');
  if (strategy.status !== 'running') throw new AppError('STRATEGY_ENDED');
  const targets = await readTargets(deps, request.coins);
  const name = `rebalance ${strategy.id}`;
  // A second plan would begin from holdings that the first is about to change.
  if (deps.work.isRunning(name)) throw new AppError('TRADE_UNDER_WAY');
  const progress: Rebalance & { refusal: AppError | null } = { orders: [], refused: 0, remaining: 0, refusal: null };
  const work = deps.work.run(name, async () => {
    const steps = await planSteps(deps, strategy.bookId, targets);
    progress.remaining = steps.length;
    for (const step of steps) {
      try {
        progress.orders.push(await tradeStep(deps, strategy, step, requestKey));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        progress.refused += 1;
        progress.refusal = error;
      }
      progress.remaining -= 1;
    }
  });
  let isAnswered = false;
  work.catch((error: Error) => {
    if (isAnswered) deps.log.error({ err: error, strategy: strategy.slug }, 'a rebalance broke off');
  });
  await waitAtMost(deps.clock, waitMs, work);
  isAnswered = true;
  const { orders, refused, remaining, refusal } = progress;
  if (orders.length === 0 && remaining === 0 && refusal !== null) throw refusal;
  return { orders: [...orders], refused, remaining };
}

type Step = Pick<RoundRequest, 'side' | 'mint' | 'amountIn'>;

async function planSteps(
  deps: Strategies,
  bookId: string,
  targets: Awaited<ReturnType<typeof readTargets>>,
): Promise<Step[]> {
  const book = (await loadHoldings(deps.database, [bookId])).get(bookId)!;
  const pools = await deps.pools.load([...book.tokens.keys()]);
  const plan = planRebalance({
    freeLamports: spendableBesideFloat(book, 0n),
    positions: [...book.tokens].map(([mint, tokens]) => {
      const liquidationLamports = holdingValue(pools, mint, tokens);
      if (liquidationLamports === null) throw new AppError('UNAVAILABLE');
      return { mint, tokens, liquidationLamports };
    }),
    targets,
    dustLamports: REBALANCE_DUST_LAMPORTS,
    feeLamports: NETWORK_FEE_LAMPORTS,
  });
  return [
    ...plan.sells.map(({ mint, tokens }) => ({ side: 'sell' as const, mint, amountIn: tokens })),
    ...plan.buys.map(({ mint, spendLamports }) => ({ side: 'buy' as const, mint, amountIn: spendLamports })),
  ];
}

async function tradeStep(deps: Strategies, strategy: Strategy, step: Step, requestKey: string): Promise<Order> {
  return placeStrategyRound(deps, {
    ...step,
    strategyId: strategy.id,
    id: requestOrderId('rebalance', strategy.id, requestKey, step.side, step.mint),
    // Sells may have brought less than expected; a buy shrinks to what is there.
    fit: step.side === 'buy',
    slippageBps: OPENING_SLIPPAGE_BPS,
    kind: 'rebalance',
  });
}
