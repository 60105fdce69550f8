// A creator's order in a strategy's book, with the copies of everyone who follows. In order:
//   1. one transaction locks the strategy, decides every copy and inserts the round with all intents;
//   2. the engine trades the creator's order and the copies at one price;
//   3. results are taken over, here or, after a crash, by `resumeRounds`; the outbox tells the fills to the strategy's record.
// The lock keeps followers from coming or leaving in between: who cancels before 1 is not in the round, who cancels after it waits for
// that copy to end before anything is sold.

import { randomUUID } from 'node:crypto';
import { AppError } from '@hunter/contract/app-error';
import type { Address } from '@hunter/domain/address';
import { baseUnits } from '@hunter/domain/base-units';
import type { CopyableCoin } from '@hunter/domain/copyable-coin';
import { lamports } from '@hunter/domain/lamports';
import type { Pool, Side } from '@hunter/domain/swap-maths';
import { loadCash } from '../../ledger/balances.ts';
import { SOL } from '../../ledger/journal.ts';
import { lastBoughtAt } from '../../ledger/recent-buys.ts';
import type { Sql } from '../../platform/postgres.ts';
import type { NewOrder, Order, OrderKind } from '../../trading/order.ts';
import { SELL_ALL } from '../../trading/order.ts';
import { REPLY_WAIT_MS, type RoundResult } from '../../trading/order-engine.ts';
import { loadHoldings, mintsOf, type Pools } from '../book-holdings.ts';
import type { Strategies } from '../strategies.ts';
import { loadStrategyOfBook, lockStrategy, type Strategy } from '../strategy-store.ts';
import { finishRounds, insertRound, removeRound, settleCopies, type NewCopy, type NewRound } from './copy-store.ts';
import { loadCopyableCoin } from './load-copyable-coin.ts';
import { loadBuyCandidates, planBuys } from './plan-buys.ts';
import { costOfSale, decideSale, loadSaleCandidates } from './plan-sales.ts';

/** A wide slippage of the creator is his own: a follower's purchase stays within two percent of the planned quote. */
const COPY_SLIPPAGE_BPS_MAX = 200;

export type RoundRequest = {
  strategyId: string;
  /** Chosen by the caller where it may come twice; the creator's order has the same id. */
  id?: string;
  side: Side;
  mint: string;
  /** SELL_ALL sells everything the book has. */
  amountIn: bigint;
  slippageBps: number;
  kind: Extract<OrderKind, 'trade' | 'rebalance' | 'close'>;
  waitMs?: number;
};

export type StrategyRound = {
  order: Order;
  copied: number;
  skipped: number;
  decideMs: number;
  /** Null where the round was placed by an earlier run of the same request. */
  result: RoundResult | null;
};

export function placeStrategyRound(parts: Strategies, request: RoundRequest): Promise<StrategyRound> {
  return parts.lanes.run(request.strategyId, () => placeInLane(parts, request));
}

async function placeInLane(parts: Strategies, request: RoundRequest): Promise<StrategyRound> {
  const { database, engine, lanes } = parts;
  const id = request.id ?? randomUUID();
  const startedMs = performance.now();
  const market = await loadMarket(parts, request);
  lanes.took(id);
  try {
    const known = await knownOrder(parts, request);
    if (known) return known;
    const planned = await planRound(parts, { ...request, id }, market);
    const decideMs = performance.now() - startedMs;
    let result: RoundResult;
    try {
      result = await engine.placeRound(
        { lead: planned.lead, copies: planned.copies, slippageBps: request.slippageBps },
        request.waitMs === undefined ? {} : { waitMs: request.waitMs },
      );
    } catch (error) {
      // A refusal was given before anything was written.
      if (error instanceof AppError) await removeRound(database, id);
      throw error;
    }
    const skippedBefore = planned.skipped;
    const settled = await settleCopies(database, { roundIds: [id] }, new Date(parts.clock.nowMs()));
    await finishRounds(database, [id]);
    const filled = result.copies.filter((copy) => copy.filledOut !== null).length;
    return {
      order: result.lead,
      copied: filled,
      skipped: skippedBefore + settled.length - filled,
      decideMs,
      result,
    };
  } finally {
    lanes.gave(id);
  }
}

/** For trading: an order in a strategy's book takes all its followers along. */
export async function placeInStrategy(parts: Strategies, order: NewOrder): Promise<Order> {
  const strategy = await loadStrategyOfBook(parts.database, order.bookId);
  if (!strategy || strategy.userId !== order.userId) throw new AppError('NOT_FOUND');
  const { id, side, mint, amountIn, slippageBps } = order;
  const kind = order.kind === 'close' ? 'close' : 'trade';
  const request = { strategyId: strategy.id, side, mint, amountIn, slippageBps, kind } as const;
  return (await placeStrategyRound(parts, id === undefined ? request : { ...request, id })).order;
}

/** Pools of everything the strategy's people hold, and for a purchase what its protection needs to know of the coin. */
async function loadMarket(deps: Strategies, { strategyId, mint, side }: RoundRequest): Promise<Market> {
  if (side === 'sell') return { pools: await deps.pools.load([mint]), coin: null };
  const books = await deps.database.query<{ bookId: string }>(
    `select book_id as "bookId" from strategy where id = $1
     union all select book_id from follow where strategy_id = $1 and status in ('opening', 'active')`,
    [strategyId],
  );
  const holdings = await loadHoldings(
    deps.database,
    books.map(({ bookId }) => bookId),
  );
  const pools = await deps.pools.load([...new Set([mint, ...mintsOf(holdings.values())])]);
  return { pools, coin: await loadCopyableCoin(deps, strategyId, mint, pools.get(mint)) };
}

/** A request that is taken up again finds the order it placed. */
async function knownOrder(parts: Strategies, { id, waitMs }: RoundRequest): Promise<StrategyRound | null> {
  if (id === undefined) return null;
  const rounds = await parts.database.query(`select 1 from copy_round where id = $1`, [id]);
  if (rounds.length === 0) return null;
  const [order] = await parts.engine.waitFor([id], waitMs ?? REPLY_WAIT_MS);
  // The round was planned by a process that ended before it could trade, and its price is gone.
  if (!order) throw new AppError('PRICE_MOVED');
  return { order, copied: 0, skipped: 0, decideMs: 0, result: null };
}

type Planned = { lead: NewOrder; copies: NewOrder[]; skipped: number };
type Market = { pools: Pools; coin: CopyableCoin | null };

function planRound(deps: Strategies, request: RoundRequest & { id: string }, market: Market): Promise<Planned> {
  const { id, side, mint, slippageBps, strategyId } = request;
  return deps.database.transaction(async (sql) => {
    const strategy = await lockStrategy(sql, strategyId, 'round');
    requireTrading(strategy);
    const before = await loadCash(sql, strategy.bookId, side === 'buy' ? SOL : mint);
    const amountIn = side === 'sell' && request.amountIn === SELL_ALL ? before : request.amountIn;
    if (side === 'sell' && before === 0n) throw new AppError('NOTHING_TO_SELL');
    if (amountIn > before) throw new AppError('INSUFFICIENT_BALANCE');
    const round = { id, strategyId, side, mint, amountIn, creatorBefore: before };
    const now = new Date(deps.clock.nowMs());
    const planned =
      side === 'buy'
        ? await planPurchases(sql, strategy, round, market, now)
        : await planSales(sql, round, market.pools.get(mint));
    await insertRound(
      sql,
      round,
      planned.map(({ copy }) => copy),
      now,
    );
    const order = { side, mint, slippageBps };
    const copySlippageBps = side === 'buy' ? Math.min(slippageBps, COPY_SLIPPAGE_BPS_MAX) : slippageBps;
    const copies = planned.flatMap(({ owner, copy }): NewOrder[] => {
      if (copy.orderId === null) return [];
      return [
        {
          ...order,
          slippageBps: copySlippageBps,
          ...owner,
          id: copy.orderId,
          parentId: id,
          amountIn: copy.amountIn!,
          kind: 'copy',
        },
      ];
    });
    const lead = { ...order, id, userId: strategy.userId, bookId: strategy.bookId, amountIn, kind: request.kind };
    return { lead, copies, skipped: planned.length - copies.length };
  });
}

type PlannedCopy = { owner: { userId: string; bookId: string }; copy: NewCopy };

const nothing = { orderId: null, wantedIn: null, amountIn: null, limitedBy: null, runUpLamports: 0n, costLamports: 0n };

async function planPurchases(
  sql: Sql,
  strategy: Strategy,
  { mint, amountIn }: NewRound,
  { pools, coin }: Market,
  now: Date,
): Promise<PlannedCopy[]> {
  const candidates = await loadBuyCandidates(sql, strategy.id, mint, now);
  if (candidates.length === 0 || coin === null) return [];
  const holdings = await loadHoldings(sql, [strategy.bookId, ...candidates.map(({ bookId }) => bookId)]);
  const other = { userId: strategy.userId, mint, exceptBookId: strategy.bookId };
  const boughtHimselfAt = await lastBoughtAt(sql, { ...other, kinds: ['personal', 'strategy'] });
  const decisions = planBuys({
    candidates,
    creator: {
      bookId: strategy.bookId,
      spendLamports: lamports(amountIn),
      boughtHimselfAtMs: boughtHimselfAt?.getTime() ?? null,
    },
    mint: mint as Address,
    coin,
    holdings,
    pools,
    nowMs: now.getTime(),
  });
  return decisions.map((decision, index) => {
    const { followId, wantedLamports: wantedIn } = decision;
    const copy =
      decision.kind === 'skip'
        ? { ...nothing, followId, wantedIn, reason: decision.reason }
        : { ...decision, orderId: randomUUID(), wantedIn, reason: null };
    return { owner: ownerOf(candidates[index]!), copy };
  });
}

async function planSales(sql: Sql, round: NewRound, pool: Pool | undefined): Promise<PlannedCopy[]> {
  const creator = { soldTokens: baseUnits(round.amountIn), heldTokensBefore: baseUnits(round.creatorBefore) };
  return (await loadSaleCandidates(sql, round.strategyId, round.mint)).map((candidate) => {
    const { followId } = candidate;
    const decision = decideSale(candidate, creator, pool);
    const copy =
      decision.kind === 'skip'
        ? { ...nothing, followId, reason: decision.reason }
        : {
            ...nothing,
            followId,
            orderId: randomUUID(),
            wantedIn: decision.amountIn,
            amountIn: decision.amountIn,
            costLamports: costOfSale(decision.amountIn, pool),
            reason: null,
          };
    return { owner: ownerOf(candidate), copy };
  });
}

function ownerOf({ userId, bookId }: { userId: string; bookId: string }): PlannedCopy['owner'] {
  return { userId, bookId };
}

function requireTrading({ status }: Strategy): void {
  if (status === 'publishing') throw new AppError('REQUEST_IN_PROGRESS');
  if (status !== 'running') throw new AppError('STRATEGY_ENDED');
}
