// A creator's order in a strategy's book, with the copies of everyone who follows. In order:
//   1. one transaction locks the strategy, decides every copy and inserts the round with all intents;
//   2. the engine trades the creator's order and the copies at one price;
//   3. results are taken over, here or, after a crash, by `resumeRounds`; the outbox tells the fills to the strategy's record.
// The lock keeps followers from coming or leaving in between: who cancels before 1 is not in the round, who cancels after it waits for
// that copy to end before anything is sold.

import { randomUUID } from 'node:crypto';
import { AppError } from '@hunter/contract/app-error';
import type { Side } from '@hunter/domain/swap-maths';
import { loadCash } from '../../ledger/balances.ts';
import { SOL } from '../../ledger/journal.ts';
import type { NewOrder, Order, OrderKind } from '../../trading/order.ts';
import { SELL_ALL } from '../../trading/order.ts';
import { REPLY_WAIT_MS, type RoundResult } from '../../trading/order-engine.ts';
import type { Strategies } from '../strategies.ts';
import { loadStrategyOfBook, lockStrategy, type Strategy } from '../strategy-store.ts';
import { finishRounds, insertRound, removeRound, settleCopies, type NewCopy } from './copy-store.ts';
import { creatorOrder, decideCandidate, loadCandidates, type CopyCandidate } from './plan-copies.ts';

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
  const [atRisk, pools] = await Promise.all([parts.isRisky(request.mint), parts.pools.load([request.mint])]);
  lanes.took(id);
  try {
    const known = await knownOrder(parts, request);
    if (known) return known;
    const planned = await planRound(parts, { ...request, id }, { atRisk, pool: pools.get(request.mint) });
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

function planRound(
  parts: Strategies,
  request: RoundRequest & { id: string },
  token: Parameters<typeof decideCandidate>[2],
): Promise<Planned> {
  const { id, side, mint, slippageBps, strategyId } = request;
  return parts.database.transaction(async (sql) => {
    const strategy = await lockStrategy(sql, strategyId, 'round');
    requireTrading(strategy);
    const before = await loadCash(sql, strategy.bookId, side === 'buy' ? SOL : mint);
    const amountIn = side === 'sell' && request.amountIn === SELL_ALL ? before : request.amountIn;
    if (side === 'sell' && before === 0n) throw new AppError('NOTHING_TO_SELL');
    if (amountIn > before) throw new AppError('INSUFFICIENT_BALANCE');
    const order = { side, mint, slippageBps };
    const creator = creatorOrder(side, amountIn, before);
    const lead: NewOrder = {
      ...order,
      id,
      userId: strategy.userId,
      bookId: strategy.bookId,
      amountIn,
      kind: request.kind,
    };
    const candidates = await loadCandidates(sql, strategyId, mint, side);
    const intents: NewCopy[] = [];
    const copies: NewOrder[] = [];
    for (const candidate of candidates) {
      const decision = decideCandidate(candidate, creator, token);
      if (decision.kind === 'skip') {
        intents.push({ followId: candidate.followId, orderId: null, amountIn: null, reason: decision.reason });
        continue;
      }
      const orderId = randomUUID();
      intents.push({ followId: candidate.followId, orderId, amountIn: decision.amountIn, reason: null });
      copies.push(copyOrder(candidate, { ...order, id: orderId, parentId: id, amountIn: decision.amountIn }));
    }
    const round = { id, strategyId, side, mint, amountIn, creatorBefore: before };
    await insertRound(sql, round, intents, new Date(parts.clock.nowMs()));
    return { lead, copies, skipped: intents.length - copies.length };
  });
}

function copyOrder(
  { userId, bookId }: CopyCandidate,
  order: Pick<NewOrder, 'side' | 'mint' | 'slippageBps' | 'id' | 'parentId' | 'amountIn'>,
): NewOrder {
  return { ...order, userId, bookId, kind: 'copy' };
}

function requireTrading({ status }: Strategy): void {
  if (status === 'publishing') throw new AppError('REQUEST_IN_PROGRESS');
  if (status !== 'running') throw new AppError('STRATEGY_ENDED');
}
