// A creator's order in a strategy's book, with the parts of everyone who follows. In the strategy's lane:
//   1. one transaction locks the strategy, decides every part and writes the order with its allocations;
//   2. the engine trades the sum in one swap and shares the fill out, in one transaction;
//   3. the outbox tells the fill to the strategy's record.
// The lock keeps followers from coming or leaving in between: who cancels before 1 is not in the round, who cancels after it is
// sold out by the exit that comes next in the lane.

import type { Address } from '@hunter/solana/address';
import { randomUUID } from 'node:crypto';
import { AppError } from '@hunter/contract/app-error';
import { basisPoints } from '@hunter/domain/numbers/basis-points';
import { limitPrice, tighterPrice } from '@hunter/domain/copying/limit-price';
import { smaller } from '@hunter/domain/numbers/rounding';
import { unitsIn, type AmountIn, type Pool, type Ratio, type Side } from '@hunter/domain/market/swap-maths';
import {
  mayGoOnAlone,
  SELL_ALL,
  type HeldOrder,
  type NewOrder,
  type Order,
  type OrderKind,
} from '../../trading/order.ts';
import { REPLY_WAIT_MS } from '../../trading/order-engine.ts';
import { loadOrders } from '../../trading/order-store.ts';
import { aloneOrderId } from '../../trading/request-order-id.ts';
import type { NewPart } from '../../trading/rounds/round.ts';
import { knownEquity } from '../book-holdings.ts';
import { requireQuiet, waitUntilQuiet } from '../open-orders.ts';
import { insertRoundMarket } from '../simulator/round-market.ts';
import type { Strategies } from '../strategies.ts';
import { loadStrategyById, loadStrategyOfBook, lockStrategy, type Strategy } from '../strategy-store.ts';
import { sellInFollow } from './exit-follows.ts';
import { loadRoundMarket, loadRoundParts, NO_LIMITS, type RoundMarket, type RoundParts } from './round-parts.ts';

/** A wide slippage of the creator is his own: what followers take part in stays within two percent of what was planned. */
const COPY_SLIPPAGE_BPS_MAX = 200;

export type RoundRequest = {
  strategyId: string;
  /** The strategy's, where the caller has read it. */
  walletId?: string;
  /** Chosen by the caller where it may come twice. */
  id?: string;
  side: Side;
  mint: Address;
  /** SELL_ALL sells everything the book has. */
  amountIn: AmountIn;
  slippageBps: number;
  kind: Extract<OrderKind, 'trade' | 'rebalance' | 'close' | 'open-strategy'>;
  /** Shrinks a purchase to what the book can pay instead of refusing it. */
  fit?: boolean;
  waitMs?: number;
  /** The least that one unit of what goes in may bring; the parts of followers raise what comes out alike. */
  leastPrice?: Ratio;
  alongside?: NewOrder['alongside'];
};

/** Refusals before anything was set aside throw; what ends without a trade later is an order in state `dead` or `failed`. */
export async function placeStrategyRound(deps: Strategies, request: RoundRequest): Promise<Order> {
  const id = request.id ?? randomUUID();
  const waitMs = request.waitMs ?? REPLY_WAIT_MS;
  return deps.lanes.run(request.strategyId, 'creator', async () => {
    // An id of our own is new; one of the caller's may have come before, and its creator's own part may have gone on.
    const ids = request.id === undefined ? [] : [aloneOrderId(request.id), request.id];
    const [known] = await loadOrders(deps.database, ids);
    if (known) return deps.engine.finished(known, waitMs);
    // Planned from what the round before has left, and posted in the order of the chain, from which the record is recomputed. Nobody
    // waits for an answer to what a publication or a rebalance asks for.
    const isAnswered = request.kind === 'trade' || request.kind === 'close';
    const walletId = request.walletId ?? (await loadStrategyById(deps.database, request.strategyId)).walletId;
    if (!(await waitUntilQuiet(deps, walletId, isAnswered ? waitMs : undefined))) throw new AppError('TRADE_UNDER_WAY');
    return tradeInLane(deps, { ...request, id, walletId }, waitMs);
  });
}

/** With what is known of it in the lane. */
type Identified = RoundRequest & { id: string; walletId: string };

async function tradeInLane(deps: Strategies, request: Identified, waitMs: number): Promise<Order> {
  const first = await tradeOnce(deps, request, 'with-followers', waitMs);
  if (!mayGoOnAlone(first)) return first;
  // Within his slippage.
  return tradeOnce(deps, { ...request, id: aloneOrderId(request.id) }, 'alone', waitMs);
}

async function tradeOnce(
  deps: Strategies,
  request: Identified,
  who: RoundParts['who'],
  waitMs: number,
): Promise<Order> {
  const mayBeRefused = request.fit !== true && request.amountIn !== SELL_ALL;
  const [market] = await Promise.all([
    loadRoundMarket(deps, request),
    mayBeRefused ? deps.engine.checkQuote(request) : undefined,
  ]);
  const held = await planRound(deps, request, market, who);
  return deps.engine.execute(held, waitMs);
}

/** For trading: an order in a strategy's book takes all its followers along; a follow sells by itself. */
export async function placeInStrategy(deps: Strategies, order: NewOrder): Promise<Order> {
  const strategy = await loadStrategyOfBook(deps.database, order.bookId);
  if (!strategy) return sellInFollow(deps, order);
  if (strategy.userId !== order.userId) throw new AppError('NOT_FOUND');
  const { id, side, mint, amountIn, slippageBps, minOut, alongside, fit } = order;
  const kind = order.kind === 'close' ? 'close' : 'trade';
  return placeStrategyRound(deps, {
    strategyId: strategy.id,
    walletId: strategy.walletId,
    side,
    mint,
    amountIn,
    slippageBps,
    kind,
    ...(id === undefined ? {} : { id }),
    ...(fit === undefined ? {} : { fit }),
    ...(minOut === undefined ? {} : { leastPrice: { numerator: minOut, denominator: amountIn } }),
    ...(alongside === undefined ? {} : { alongside }),
  });
}

function planRound(
  deps: Strategies,
  request: Identified,
  market: RoundMarket,
  who: RoundParts['who'],
): Promise<HeldOrder> {
  const { id, side, mint, strategyId, walletId, kind } = request;
  return deps.database.transaction(async (sql) => {
    // What does not wait for each other's answers here and below is asked for together; the database answers it in this order.
    const [, strategy] = await Promise.all([
      deps.lanes.requireOwned(sql, strategyId),
      lockStrategy(sql, strategyId, 'round'),
      requireQuiet(sql, walletId),
    ]);
    requireTrading(strategy, kind);
    const now = new Date(deps.clock.nowMs());
    const asked = { side, mint, who, amountOf: (before: AmountIn) => amountOf(request, before) };
    const { own, before, amountIn, hasAccount, heldTokens, refusal, followers } = await loadRoundParts(
      sql,
      strategy,
      asked,
      market,
      now,
    );
    const creator: NewPart = {
      ...NO_LIMITS,
      bookId: strategy.bookId,
      userId: strategy.userId,
      followId: null,
      wantedIn: request.amountIn === SELL_ALL ? amountIn : request.amountIn,
      amountIn,
      freeLamports: own.freeLamports,
      reason: null,
    };
    const parts = [creator, ...followers];
    const limits = limitsOf(request, parts, market.pools.get(mint));
    const held = await deps.engine.placeRound(
      sql,
      {
        id,
        walletId,
        userId: strategy.userId,
        bookId: strategy.bookId,
        kind,
        side,
        mint,
        parts,
        hasAccount,
        ...limits,
      },
      now,
    );
    await insertRoundMarket(sql, {
      orderId: id,
      strategyId,
      at: now,
      tier: strategy.tier,
      creatorBefore: before,
      creatorEquityLamports: knownEquity(own, market.pools),
      pool: market.pools.get(mint),
      reference: market.bought?.coin.reference ?? null,
      coinAgeMs: market.bought?.coin.ageMs ?? 0,
      heldTokens,
      // Three misses of the limit price: nobody could have bought along.
      refusal: who === 'alone' && side === 'buy' ? 'price-moved' : refusal,
    });
    await request.alongside?.(sql, held.order);
    return held;
  });
}

function amountOf({ side, amountIn, fit }: RoundRequest, before: AmountIn): AmountIn {
  if (side === 'sell' && before === 0n) throw new AppError('NOTHING_TO_SELL');
  const amount = amountIn === SELL_ALL || fit === true ? smaller(amountIn, before) : amountIn;
  if (amount > before || amount === 0n) throw new AppError('INSUFFICIENT_BALANCE');
  return amount;
}

/**
 * Where followers take part, the limit price comes from the pool that they were planned with and not from a later quote: what moves the
 * price in between cannot move the limit along.
 */
function limitsOf(
  { side, slippageBps, leastPrice }: RoundRequest,
  parts: readonly NewPart[],
  pool: Pool | undefined,
): { slippageBps: number; leastPrice?: Ratio } {
  const isCopied = parts.some(({ followId, amountIn }) => followId !== null && amountIn > 0n);
  if (!isCopied) return { slippageBps, ...(leastPrice === undefined ? {} : { leastPrice }) };
  const most = Math.min(slippageBps, COPY_SLIPPAGE_BPS_MAX);
  const totalIn = unitsIn(
    side,
    parts.reduce((sum, { amountIn }) => sum + amountIn, 0n),
  );
  const planned = pool === undefined ? null : limitPrice(pool, side, totalIn, basisPoints(most));
  const least = planned && leastPrice ? tighterPrice(planned, leastPrice) : (planned ?? leastPrice);
  return { slippageBps: most, ...(least === undefined ? {} : { leastPrice: least }) };
}

function requireTrading({ status }: Strategy, kind: OrderKind): void {
  if (status === 'publishing' && kind !== 'open-strategy') throw new AppError('TRADE_UNDER_WAY');
  if (status === 'ending' || status === 'ended') throw new AppError('STRATEGY_ENDED');
}
