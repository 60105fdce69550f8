import { address } from '@hunter/solana/address';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import type { Address } from '@hunter/domain/address';
import { parseDecimal, printDecimal } from '@hunter/domain/numbers/decimal';
import { lamports, SOL_DECIMALS } from '@hunter/domain/numbers/lamports';
import { spotPrice, type Ratio } from '@hunter/domain/market/swap-maths';
import { TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import { describe, expect, it, vi } from 'vitest';
import { systemClock } from '../platform/clock.ts';
import { LiveBus } from '../platform/live-bus.ts';
import { createLog } from '../platform/log.ts';
import { LiveOrders } from '../trading/live-orders.ts';
import { loadOrders, loadOrdersOf } from '../trading/order-store.ts';
import { orderView, type OrderView } from '../trading/order-view.ts';
import { useTradingWorld } from '../trading/use-trading-world-for-test.ts';
import type { Trader, TradingWorld } from '../trading/world-for-test.ts';
import { SELL_ALL } from '../trading/order.ts';
import { closePosition, quoteTrade, trade } from '../trading/trade.ts';
import type { Trading } from '../trading/trading.ts';
import { loadHoldings } from './book-holdings.ts';
import { placeInStrategy, placeStrategyRound } from './copying/place-strategy-round.ts';
import { loadFollowersInput } from './copying/round-parts.ts';
import { followStrategy } from './follow-strategy.ts';
import { loadFollowById } from './follow-store.ts';
import { guardFollows } from './guard-follows.ts';
import { loadCopyReceipts } from '../portfolio/copy-receipts.ts';
import { loadStrategyDetail } from '../portfolio/strategy-detail.ts';
import type { Strategies } from './strategies.ts';
import { differencesToChain, passUntilClosed, strategiesOn } from './strategies-for-test.ts';
import type { Strategy } from './strategy-store.ts';
import { updateFollow } from './update-follow.ts';
import { followedSteps } from './followed-steps-for-test.ts';

const SOL = 1_000_000_000n;

let world: TradingWorld;
let follower: Trader;

// Some of these need pools as thin as a week of trades leaves them.
useTradingWorld(
  async (started) => {
    world = started;
    follower = (await world.traders(1, 200n * SOL))[0]!;
  },
  { pastTrades: 500 },
);

const anyMint = () => world.mint;

/** Of those that followers may buy. */
async function thinnestMint(): Promise<Address> {
  const listed = (await world.venue.liveliestTokens()).filter(({ tokenProgram }) => tokenProgram === TOKEN_PROGRAM);
  const pools = await world.venue.pools(listed.map(({ mint }) => mint));
  const deepEnough = [...pools].filter(([, { solReserve }]) => solReserve > 60n * SOL);
  return address(deepEnough.toSorted(([, one], [, other]) => Number(one.solReserve - other.solReserve))[0]![0]);
}

const { aFollowed, aPurchase } = followedSteps(() => ({ world, follower }));

const receiptsOf = async (deps: Strategies, strategy: Strategy) =>
  (await loadCopyReceipts(deps, follower.userId, { slug: strategy.slug, cursor: undefined })).lists;

function withReference(times: bigint): Strategies {
  const reference = async (mint: Address) => {
    const { numerator, denominator }: Ratio = spotPrice((await world.pools.load([mint])).get(mint)!);
    return { numerator, denominator: denominator * times };
  };
  return strategiesOn(world, { referencePrice: reference, referenceToBuy: reference });
}

function tradingOn(deps: Strategies): Trading {
  const { database, engine, venue, tokens, pools } = world;
  return {
    database,
    engine,
    venue,
    tokens,
    pools,
    clock: systemClock,
    solUsd: () => null,
    placeInStrategy: (order) => placeInStrategy(deps, order),
    followersInput: (order) => loadFollowersInput(deps, order),
  };
}

describe('a creator who asks what his order would get', () => {
  it('is told the price of the round, with all who go along, and gets it', async () => {
    const deps = strategiesOn(world);
    const trading = tradingOn(deps);
    const { strategy, leader } = await aFollowed(deps);
    const { userId } = leader;
    const asked = { tokenContractAddress: anyMint(), bookId: strategy.bookId, slippageBps: 200 };
    const token = (await trading.tokens.load([anyMint()])).get(anyMint());
    for (const [side, amount] of [
      ['buy', '1'],
      ['sell', null],
    ] as const) {
      const [held] = (await loadHoldings(deps.database, [strategy.bookId])).values();
      const all = printDecimal(held!.tokens.get(anyMint()) ?? 0n, token!.decimals);
      const request = { ...asked, side, amount: amount ?? all };
      const shown = await quoteTrade(trading, request, userId);
      const alone = await quoteTrade(trading, { ...request, bookId: undefined }, userId);
      expect(Number(shown.expectedOut)).toBeLessThan(Number(alone.expectedOut));
      expect(Number(shown.priceImpact)).toBeGreaterThan(Number(alone.priceImpact));
      const order = await trade(trading, request, { key: `shown ${side}`, userId });
      const decimals = side === 'buy' ? token!.decimals : SOL_DECIMALS;
      // What the swap gives is shared out to the base unit, and one that cannot be divided is his or another's.
      const more = parseDecimal(order.amountOut!, decimals) - parseDecimal(shown.expectedOut, decimals);
      expect(more === 0n || more === 1n).toBe(true);
    }
  });

  it('of a strategy that is not his is told what anybody is', async () => {
    const deps = strategiesOn(world);
    const { strategy } = await aFollowed(deps);
    const order = { bookId: strategy.bookId, side: 'buy' as const, mint: anyMint(), amountIn: lamports(SOL) };
    expect(await loadFollowersInput(deps, { ...order, userId: follower.userId })).toBe(0n);
  });

  it.each(['another', 'a visitor'])('as %s is told that there is no such account', async (who) => {
    const deps = strategiesOn(world);
    const { strategy } = await aFollowed(deps);
    const asked = { tokenContractAddress: anyMint(), bookId: strategy.bookId, side: 'buy' as const, amount: '1' };
    await expect(quoteTrade(tradingOn(deps), asked, who === 'another' ? follower.userId : null)).rejects.toMatchObject({
      errorName: 'NOT_FOUND',
    });
  });
});

describe('a follower who sells a coin of his follow', () => {
  it('is told of his own part in his own book, which its creator is not', async () => {
    const deps = strategiesOn(world);
    const trading = tradingOn(deps);
    const { strategy, follow, leader } = await aFollowed(deps);
    await placeStrategyRound(deps, aPurchase(strategy));
    const { userId } = follower;
    const told = new Map<string, string>();
    const bus = new LiveBus();
    bus.subscribe((channel, key, data) => {
      if (channel === 'orders') told.set((data as OrderView).id, `${key} ${(data as OrderView).bookId}`);
    });
    const { database, tokens } = trading;
    const live = new LiveOrders({ database, bus, tokens, log: createLog('silent'), balanceChanged: () => {} });
    const held = (await loadHoldings(database, [follow.bookId])).get(follow.bookId)!.tokens.get(world.mint)!;
    const close = () =>
      closePosition(
        trading,
        { tokenContractAddress: world.mint, bookId: follow.bookId, slippageBps: 2_000 },
        { key: 'close', userId },
      );

    const { lists } = await close();
    const token = (await tokens.load([world.mint])).get(world.mint)!;
    const own = { bookId: follow.bookId, bookKind: 'follow', amountIn: printDecimal(held, token.decimals) };
    expect(lists).toMatchObject([own]);
    expect((await close()).lists).toEqual(lists);
    const { id } = lists[0]!;
    const [found] = await loadOrdersOf(database, userId, [id]);
    expect(orderView(found!, token.decimals)).toEqual(lists[0]);
    expect(await loadOrdersOf(database, leader.userId, [id])).toEqual([]);
    const [sale] = await loadOrders(database, [id]);
    live.settled([{ ...sale!, participants: [userId] }]);
    await vi.waitFor(() => expect(told.get(id)).toBe(`${userId} ${follow.bookId}`));
  });
});

describe('a follower whose creator buys at a pumped price', () => {
  it('buys only so much that the excess over the reference stays within the run-up limit, and is told so', async () => {
    const deps = withReference(2n);
    const { strategy } = await aFollowed(deps);
    await placeStrategyRound(deps, aPurchase(strategy, 5n * SOL));
    const [receipt] = await receiptsOf(deps, strategy);
    expect(receipt).toMatchObject({ kind: 'fill', limitedBy: 'run-up' });
    // Half of what is paid lies above the reference, and three percent of five SOL may.
    expect(Number(receipt!.solAmount)).toBeLessThanOrEqual(0.3);
    expect(Number(receipt!.solAmount)).toBeGreaterThan(0.25);
    await placeStrategyRound(deps, aPurchase(strategy, 2n * SOL));
    const [second] = await receiptsOf(deps, strategy);
    expect(second).toMatchObject({ kind: 'skip', reason: 'run-up' });
    expect(await differencesToChain(world)).toEqual({});
  });

  it('has back what it paid above the reference once that was sold again, less what was lost', async () => {
    const deps = withReference(2n);
    const { strategy, follow } = await aFollowed(deps);
    // As if the sale had brought that much less than the purchase cost; what the trip gained otherwise makes no difference.
    const again = async (lost: bigint) => {
      await world.database.write(
        `update trade_order o set filled_out = trunc((b.amount_in - $2::numeric) * o.filled_in / s.amount_in)
         from allocation s, allocation b join trade_order p on p.id = b.order_id and p.side = 'buy' and b.reason is null
         where o.side = 'sell' and s.order_id = o.id and s.book_id = $1 and b.book_id = $1`,
        [follow.bookId, lost],
      );
      await world.database.write(`update round_trip set realised_lamports = $2 where book_id = $1`, [
        follow.bookId,
        5n * SOL,
      ]);
      await placeStrategyRound(deps, aPurchase(strategy, 2n * SOL));
      return (await receiptsOf(deps, strategy))[0]!;
    };
    await placeStrategyRound(deps, aPurchase(strategy, 5n * SOL));
    await placeStrategyRound(deps, { ...aPurchase(strategy, SELL_ALL), side: 'sell' });
    // Three percent of five SOL were used up: all of it was lost, or a third of it.
    expect(await again((SOL * 15n) / 100n)).toMatchObject({ kind: 'skip', reason: 'run-up' });
    const after = await again((SOL * 5n) / 100n);
    expect(after).toMatchObject({ kind: 'fill', limitedBy: 'run-up' });
    expect(Number(after.solAmount)).toBeLessThanOrEqual(0.2);
    expect(Number(after.solAmount)).toBeGreaterThan(0.16);
  });

  it('takes no part where the creator bought the coin for himself just before', async () => {
    const deps = strategiesOn(world);
    const { strategy, leader } = await aFollowed(deps);
    await world.engine.placeOrder({
      userId: leader.userId,
      bookId: leader.bookId,
      side: 'buy',
      mint: anyMint(),
      amountIn: lamports(SOL),
      slippageBps: 2_000,
      kind: 'trade',
    });
    await placeStrategyRound(deps, aPurchase(strategy));
    expect((await receiptsOf(deps, strategy))[0]).toMatchObject({ kind: 'skip', reason: 'creator-traded' });
  });

  it('takes part again where the creator has sold what he bought for himself', async () => {
    const deps = strategiesOn(world);
    const { strategy, leader } = await aFollowed(deps);
    const own = {
      userId: leader.userId,
      bookId: leader.bookId,
      mint: anyMint(),
      slippageBps: 2_000,
      kind: 'trade',
    } as const;
    await world.engine.placeOrder({ ...own, side: 'buy', amountIn: lamports(SOL) });
    const [held] = await world.database.query<{ quantity: bigint }>(
      `select quantity from position where book_id = $1`,
      [leader.bookId],
    );
    await world.engine.placeOrder({ ...own, side: 'sell', amountIn: baseUnits(held!.quantity) });
    await placeStrategyRound(deps, aPurchase(strategy));
    expect((await receiptsOf(deps, strategy))[0]).toMatchObject({ kind: 'fill' });
  });

  it('takes no part where a wallet near the creator bought the coin just before, and the strategy makes no reference', async () => {
    const asked: { linked: ReadonlySet<string>; nearby: ReadonlySet<string> }[] = [];
    const usual = strategiesOn(world);
    const deps = strategiesOn(world, {
      referenceToBuy: (mint, linked) => {
        asked.push({ linked, nearby: new Set() });
        return usual.referenceToBuy(mint, linked);
      },
      boughtLately: async (_mint, nearby) => {
        asked.push({ linked: new Set(), nearby });
        return lamports(SOL);
      },
    });
    const { strategy, leader } = await aFollowed(deps);
    asked.length = 0;
    await placeStrategyRound(deps, aPurchase(strategy));
    expect((await receiptsOf(deps, strategy))[0]).toMatchObject({ kind: 'skip', reason: 'creator-traded' });
    const [wallet] = await world.database.query<{ address: string }>(`select address from wallet where id = $1`, [
      strategy.walletId,
    ]);
    const [own] = await world.database.query<{ address: string }>(
      `select address from wallet where user_id = $1 and kind = 'personal'`,
      [leader.userId],
    );
    expect(asked[0]!.linked).toContain(wallet!.address);
    expect(asked[1]!.nearby).toContain(own!.address);
    expect(asked[1]!.nearby).not.toContain(wallet!.address);
  });

  it('is not sold into: the creator cannot sell his own within ten minutes after his strategy bought', async () => {
    const deps = strategiesOn(world);
    const { strategy, leader } = await aFollowed(deps);
    const trading = tradingOn(deps);
    const order = { tokenContractAddress: anyMint(), slippageBps: 2_000 };
    const owner = (key: string) => ({ key, userId: leader.userId });
    await trade(trading, { ...order, side: 'buy', amount: '0.5' }, owner('own buy'));
    await placeStrategyRound(deps, aPurchase(strategy));
    await expect(trade(trading, { ...order, side: 'sell', amount: '1' }, owner('own sell'))).rejects.toMatchObject({
      errorName: 'CREATOR_CONFLICT',
    });
  });

  it('buys nothing of a coin that fails the rules for coins', async () => {
    const deps = strategiesOn(world, {
      coinFacts: async () => ({ badges: ['danger'], mintAuthority: 'given-up', ageMs: 0 }),
      referenceToBuy: async () => null,
    });
    const { strategy } = await aFollowed(deps);
    await placeStrategyRound(deps, aPurchase(strategy));
    expect((await receiptsOf(deps, strategy))[0]).toMatchObject({ kind: 'skip', reason: 'token-risk' });
  });
});

describe('a follow', () => {
  it('that is paused skips purchases and still sells along', async () => {
    const deps = strategiesOn(world);
    const { strategy } = await aFollowed(deps);
    await placeStrategyRound(deps, aPurchase(strategy));
    await updateFollow(deps, follower.userId, { slug: strategy.slug, paused: true, protection: {} });
    await placeStrategyRound(deps, aPurchase(strategy));
    expect((await receiptsOf(deps, strategy))[0]).toMatchObject({ kind: 'skip', reason: 'paused' });
    await placeStrategyRound(deps, { ...aPurchase(strategy), side: 'sell', amountIn: SELL_ALL });
    expect((await receiptsOf(deps, strategy))[0]).toMatchObject({ kind: 'fill', side: 'sell' });
  });

  it('keeps to what its owner chose, and refuses what is out of bounds by its name', async () => {
    const deps = strategiesOn(world);
    const { strategy, follow } = await aFollowed(deps, {
      protection: { capPerTrade: lamports(SOL / 10n), stopLoss: null },
    });
    expect(follow).toMatchObject({
      capPerTradeLamports: SOL / 10n,
      stopLossBps: null,
      runUpBps: 300,
      coinCapBps: 5_000,
    });
    await placeStrategyRound(deps, aPurchase(strategy, 5n * SOL));
    expect((await receiptsOf(deps, strategy))[0]).toMatchObject({ limitedBy: 'cap-per-trade', solAmount: '0.1' });
    const update = (protection: object) => updateFollow(deps, follower.userId, { slug: strategy.slug, protection });
    expect(await update({ runUpLimit: '10', coinCap: null })).toMatchObject({ runUpBps: 1_000, coinCapBps: null });
    for (const [field, value] of [
      ['runUpLimit', '10.01'],
      ['coinCap', '0'],
      ['stopLoss', '4'],
      ['takeProfit', '1'],
    ] as const) {
      await expect(update({ [field]: value })).rejects.toMatchObject({
        errorName: 'INVALID_INPUT',
        context: { field },
      });
    }
  });

  it('is refused beyond ten times what the creator has at stake', async () => {
    const deps = strategiesOn(world);
    const { strategy } = await aFollowed(deps);
    const other = (await world.traders(1, 150n * SOL))[0]!;
    const request = { slug: strategy.slug, mode: 'position' as const, multiplier: '1' };
    const { capacity } = await loadStrategyDetail(deps, strategy.slug, null);
    await expect(
      followStrategy(deps, other.userId, { ...request, amount: lamports(96n * SOL) }, 'too much'),
    ).rejects.toMatchObject({ errorName: 'STRATEGY_FULL', context: { room: `${capacity} SOL` } });
    const follow = await followStrategy(deps, other.userId, { ...request, amount: lamports(90n * SOL) }, 'enough');
    expect(follow.status).toBe('active');
  });

  it('is closed by its stop loss after a minute below it, and says so', async () => {
    const deps = strategiesOn(world);
    const { strategy, follow } = await aFollowed(deps);
    const status = async () => (await loadFollowById(world.database, follow.id)).status;
    const earlier = (seconds: number) =>
      world.database.write(`update follow set guard_since = guard_since - make_interval(secs => $2) where id = $1`, [
        follow.id,
        seconds,
      ]);
    await placeStrategyRound(deps, aPurchase(strategy));
    await guardFollows(deps);
    expect(await status()).toBe('active');
    // As if twice as much had been put in: the follow is worth half of it.
    await world.database.write(`update follow set amount_lamports = amount_lamports * 2 where id = $1`, [follow.id]);
    await guardFollows(deps);
    await earlier(50);
    await guardFollows(deps);
    expect(await status()).toBe('active');
    await earlier(10);
    await guardFollows(deps);
    await passUntilClosed(deps, strategy.id);
    expect(await loadFollowById(world.database, follow.id)).toMatchObject({ status: 'closed', closedBy: 'stop-loss' });
    expect(await differencesToChain(world)).toEqual({});
  });
});

describe('many stop losses in one thin pool', () => {
  it('leave in one round at one price within its limit, and everybody is told', async () => {
    const deps = strategiesOn(world);
    const mint = await thinnestMint();
    const { strategy } = await aFollowed(deps);
    const others = await world.traders(6, 10n * SOL);
    for (const { userId } of others) {
      const request = { slug: strategy.slug, mode: 'sol' as const, amount: lamports(3n * SOL), multiplier: '1' };
      await followStrategy(deps, userId, request, `many ${userId}`);
    }
    await placeStrategyRound(deps, { ...aPurchase(strategy), mint });
    const followsNow = () =>
      world.database.query<{ id: string; status: string; closedBy: string | null; userId: string }>(
        `select id, status, closed_by as "closedBy", user_id as "userId" from follow where strategy_id = $1`,
        [strategy.id],
      );
    // As if much more had been put in: every follow is far below its stop loss.
    await world.database.write(`update follow set amount_lamports = amount_lamports * 3 where strategy_id = $1`, [
      strategy.id,
    ]);
    const asked: string[] = [];
    const referencePrice: Strategies['referencePrice'] = (asset, linked) => {
      asked.push(asset);
      return deps.referencePrice(asset, linked);
    };
    const ids = (await followsNow()).map(({ id }) => id);
    await guardFollows({ ...deps, referencePrice }, ids);
    // All of them have the same reference, which is read once however many they are.
    expect(asked).toEqual([mint]);
    await world.database.write(
      `update follow set guard_since = guard_since - interval '61 seconds' where strategy_id = $1`,
      [strategy.id],
    );
    await guardFollows(deps);
    await passUntilClosed(deps, strategy.id);
    const closed = await followsNow();
    expect(closed.map(({ status, closedBy }) => `${status} ${closedBy}`)).toEqual(Array(7).fill('closed stop-loss'));
    const exits = await world.database.query<{ id: string; minOut: bigint }>(
      `select id, min_out as "minOut" from trade_order where kind = 'exit' and mint = $1
         and wallet_id = (select wallet_id from book where id = $2) and state in ('confirmed', 'finalized')`,
      [mint, strategy.bookId],
    );
    expect(exits).toHaveLength(1);
    const parts = await world.database.query<{ filledIn: bigint; filledOut: bigint }>(
      `select filled_in as "filledIn", filled_out as "filledOut" from filled_allocation where order_id = $1`,
      [exits[0]!.id],
    );
    expect(parts).toHaveLength(7);
    const received = parts.reduce((sum, { filledOut }) => sum + filledOut, 0n);
    expect(received).toBeGreaterThanOrEqual(exits[0]!.minOut);
    for (const { filledIn, filledOut } of parts) {
      // Each within one lamport of its share of the one price.
      const sold = parts.reduce((sum, part) => sum + part.filledIn, 0n);
      expect(Number(filledOut - (received * filledIn) / sold)).toBeGreaterThanOrEqual(-1);
      expect(Number(filledOut - (received * filledIn) / sold)).toBeLessThanOrEqual(1);
    }
    const told = await world.database.query<{ userId: string }>(
      `select user_id as "userId" from alert where kind = 'follow-stopped' and payload ->> 'slug' = $1`,
      [strategy.slug],
    );
    expect(told.map(({ userId }) => userId).sort()).toEqual(closed.map(({ userId }) => userId).sort());
    expect(await differencesToChain(world)).toEqual({});
  });
});
