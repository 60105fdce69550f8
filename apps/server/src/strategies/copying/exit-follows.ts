// Leaving: the books of everybody who leaves at the same time sell each coin in one round, before anything else in the lane.

import type { Address } from '@hunter/solana/address';
import { randomUUID } from 'node:crypto';
import { AppError } from '@hunter/contract/app-error';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { lamports } from '@hunter/domain/numbers/lamports';
import { smaller } from '@hunter/domain/numbers/rounding';
import { loadCashOf } from '../../ledger/balances.ts';
import { SOL } from '../../ledger/journal.ts';
import { isSettled, type NewOrder, type Order } from '../../trading/order.ts';
import { REPLY_WAIT_MS } from '../../trading/order-engine.ts';
import { loadOrders, loadOrdersOf } from '../../trading/order-store.ts';
import { loadHoldings, mintsOf } from '../book-holdings.ts';
import { isUnavailable, tryAgainAt } from '../closing-tries.ts';
import { CLOSE_REFUSALS_MAX, CLOSING_SLIPPAGE_BPS } from '../costs.ts';
import { loadFollowOfBook, SELECT_FOLLOW, setProgress, type Follow } from '../follow-store.ts';
import { requireQuiet, waitUntilQuiet } from '../open-orders.ts';
import type { Strategies } from '../strategies.ts';
import { loadStrategyById, lockStrategy, type Strategy } from '../strategy-store.ts';

const NOTHING = lamports(0n);

const ROUND_WAIT_MS = 90_000;

/** A book that sells, and at most how much; without an amount everything. */
export type Leaving = { userId: string; bookId: string; followId: string | null; tokens?: bigint };

/** `unavailable` where it says nothing about the coin that it was not sold. */
export type SaleResult = 'sold' | 'refused' | 'unavailable';

/** Sells a coin for several books in one swap. In the lane, with nothing else under way. */
export async function sellTogether(
  deps: Strategies,
  strategy: Strategy,
  mint: Address,
  books: readonly Leaving[],
  options: { slippageBps: number; kind: 'exit' | 'close'; id?: string; waitMs?: number },
): Promise<Order | null> {
  const held = await deps.database.transaction(async (sql) => {
    await deps.lanes.requireOwned(sql, strategy.id);
    await lockStrategy(sql, strategy.id, 'round');
    await requireQuiet(sql, strategy.walletId);
    const bookIds = books.map(({ bookId }) => bookId);
    const tokens = await loadCashOf(sql, bookIds, mint);
    const free = await loadCashOf(sql, bookIds, SOL);
    const parts = books.flatMap(({ userId, bookId, followId, tokens: most }) => {
      const own = tokens.get(bookId) ?? 0n;
      const amountIn = baseUnits(most === undefined ? own : smaller(own, most));
      if (amountIn === 0n) return [];
      const limits = { wantedIn: amountIn, amountIn, limitedBy: null, runUpLamports: NOTHING, costLamports: NOTHING };
      return [{ userId, bookId, followId, ...limits, reason: null, freeLamports: free.get(bookId) ?? NOTHING }];
    });
    if (parts.length === 0) return null;
    const { walletId, userId, bookId } = strategy;
    const { kind, slippageBps, id = randomUUID() } = options;
    return deps.engine.placeRound(
      sql,
      { id, walletId, userId, bookId, kind, side: 'sell', mint, slippageBps, parts },
      new Date(deps.clock.nowMs()),
    );
  });
  return held === null ? null : deps.engine.execute(held, options.waitMs ?? ROUND_WAIT_MS);
}

/** What became of a try to sell, for whoever decides whether to try again. */
export async function trySale(sale: Promise<Order | null>): Promise<SaleResult> {
  try {
    const order = await sale;
    if (order === null || order.filledOut !== null) return 'sold';
    return !isSettled(order.state) || isUnavailable(order.error) ? 'unavailable' : 'refused';
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return isUnavailable(error.errorName) ? 'unavailable' : 'refused';
  }
}

/** The more often the market refused, the lower the price that is taken. */
export function closingSlippage(refusals: number): number {
  return Math.min(CLOSING_SLIPPAGE_BPS, 200 * 3 ** refusals);
}

/** One try for everybody who is leaving; whoever cancels while it waits for its turn is part of it. */
export function exitFollows(deps: Strategies, strategyId: string): Promise<void> {
  return deps.lanes.run(strategyId, 'exit', () => exitInLane(deps, strategyId), 'exit');
}

async function exitInLane(deps: Strategies, strategyId: string): Promise<void> {
  const { database, clock } = deps;
  const strategy = await loadStrategyById(database, strategyId);
  if (!(await waitUntilQuiet(deps, strategy.walletId))) return;
  const follows = await database.query<Follow>(
    `${SELECT_FOLLOW} where f.strategy_id = $1 and f.status = 'closing' and not f.in_kind
       and (f.close_not_before <= $3 or (f.close_not_before is null and f.close_refusals < $2)) order by f.id`,
    [strategyId, CLOSE_REFUSALS_MAX, new Date(clock.nowMs())],
  );
  const bookIds = follows.map(({ bookId }) => bookId);
  const holdings = await loadHoldings(database, bookIds);
  const selling = follows.filter(({ bookId }) => holdings.get(bookId)!.tokens.size > 0);
  if (selling.length === 0) return;
  const results = new Map<string, SaleResult[]>(selling.map(({ id }) => [id, []]));
  for (const mint of mintsOf(holdings.values())) {
    const holders = selling.filter(({ bookId }) => holdings.get(bookId)!.tokens.has(mint));
    const books = holders.map(({ id, userId, bookId }) => ({ followId: id, userId, bookId }));
    // Of those who hold it: what the market refused somebody else was another coin.
    const slippageBps = closingSlippage(Math.max(...holders.map(({ closeRefusals }) => closeRefusals)));
    const result = await trySale(sellTogether(deps, strategy, mint, books, { slippageBps, kind: 'exit' }));
    for (const { id } of holders) results.get(id)!.push(result);
  }
  for (const follow of selling) await noteTry(deps, follow, results.get(follow.id)!);
}

async function noteTry(deps: Strategies, follow: Follow, results: readonly SaleResult[]): Promise<void> {
  const isWaiting = results.includes('unavailable');
  const isRefused = results.includes('refused');
  await deps.database.write(
    `update follow set close_attempts = close_attempts + 1, close_refusals = close_refusals + $2, close_not_before = $3
     where id = $1`,
    [follow.id, isRefused ? 1 : 0, isWaiting ? tryAgainAt(deps.clock.nowMs(), follow.closeAttempts) : null],
  );
  const sold = results.filter((result) => result === 'sold').length;
  await setProgress(deps, follow, sold, results.length);
}

/** For trading: an owner sells a coin of a follow; the proceeds stay in it. */
export async function sellInFollow(deps: Strategies, order: NewOrder): Promise<Order> {
  const follow = await loadFollowOfBook(deps.database, order.bookId);
  if (!follow || follow.userId !== order.userId || order.side !== 'sell') throw new AppError('NOT_FOUND');
  if (follow.status !== 'active') throw new AppError('TRADE_UNDER_WAY');
  const sold = await deps.lanes.run(follow.strategyId, 'exit', async () => {
    const [known] = await loadOrders(deps.database, [order.id!]);
    if (known) return deps.engine.finished(known, REPLY_WAIT_MS);
    const strategy = await loadStrategyById(deps.database, follow.strategyId);
    if (!(await waitUntilQuiet(deps, strategy.walletId))) throw new AppError('TRADE_UNDER_WAY');
    const { userId, bookId, mint, amountIn, slippageBps, id } = order;
    const books = [{ userId, bookId, followId: follow.id, tokens: amountIn }];
    return sellTogether(deps, strategy, mint, books, {
      slippageBps,
      kind: 'exit',
      waitMs: REPLY_WAIT_MS,
      ...(id === undefined ? {} : { id }),
    });
  });
  if (sold === null) throw new AppError('NOTHING_TO_SELL');
  return (await loadOrdersOf(deps.database, order.userId, [sold.id]))[0]!;
}
