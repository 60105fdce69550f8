import { unitsIn } from '@hunter/domain/market/swap-maths';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { randomUUID } from 'node:crypto';
import { lamports } from '@hunter/domain/numbers/lamports';
import { rate, rateOf } from '@hunter/domain/numbers/rate';
import { describe, expect, it } from 'vitest';
import { loadFollowerGap } from '../../portfolio/follower-gap.ts';
import { SELL_ALL } from '../../trading/order.ts';
import type { FillsRecorded } from '../../trading/order-events.ts';
import { OrderEngine } from '../../trading/order-engine.ts';
import { useTradingWorld } from '../../trading/use-trading-world-for-test.ts';
import type { Trader, TradingWorld } from '../../trading/world-for-test.ts';
import { cancelFollow } from '../cancel-follow.ts';
import { createStrategy } from '../create-strategy.ts';
import { endStrategy } from '../end-strategy.ts';
import { followStrategy } from '../follow-strategy.ts';
import type { Strategies } from '../strategies.ts';
import { differencesToChain, passUntilClosed, strategiesOn } from '../strategies-for-test.ts';
import { plainMints } from '../strategy-steps-for-test.ts';
import type { Strategy } from '../strategy-store.ts';
import { placeStrategyRound, type RoundRequest } from './place-strategy-round.ts';
import { BookChanges } from './book-changes.ts';

/** How often each race is run; the long proof sets more. */
const RACES = Number(process.env['COPY_RACES'] ?? '4');
const FOLLOWERS = Number(process.env['COPY_FOLLOWERS'] ?? '12');
const SOL = 1_000_000_000n;

let world: TradingWorld;
let deps: Strategies;
let followers: Trader[];
let count = 0;

useTradingWorld(async (started) => {
  world = started;
  deps = strategiesOn(world);
  followers = await world.traders(FOLLOWERS, 40n * SOL);
});

/** Each has a creator of its own: followers do not buy what their creator has just bought in another book of his. */
async function aFollowedStrategy(): Promise<Strategy> {
  count += 1;
  const creator = (await world.traders(1, 10n * SOL))[0]!;
  const { strategy } = await createStrategy(
    deps,
    creator.userId,
    {
      name: `Race ${count}`,
      description: '',
      capital: lamports(4n * SOL),
      coins: [{ tokenContractAddress: world.mint, weight: '30' }],
      autoClear: true,
    },
    `race ${count}`,
  );
  await Promise.all(
    followers.map((trader, index) =>
      followStrategy(
        deps,
        trader.userId,
        {
          slug: strategy.slug,
          mode: index % 4 === 3 ? 'position' : 'sol',
          // One in six is too small to copy small trades, so that there are skips too.
          amount: lamports(index % 6 === 5 ? SOL / 50n : SOL / 2n),
          multiplier: '0.5',
        },
        strategy.slug,
      ),
    ),
  );
  return strategy;
}

function aRound(strategy: Strategy, overrides: Partial<RoundRequest> = {}): RoundRequest {
  return {
    strategyId: strategy.id,
    side: 'buy',
    mint: world.mint,
    amountIn: lamports(SOL / 10n),
    slippageBps: 2_000,
    kind: 'trade',
    waitMs: 20_000,
    ...overrides,
  };
}

type CopyRow = { followId: string; orderId: string; reason: string | null; filledOut: bigint | null };

async function copiesOf(strategy: Strategy): Promise<CopyRow[]> {
  return world.database.query<CopyRow>(
    `select a.follow_id as "followId", a.order_id as "orderId", a.reason, a.filled_out as "filledOut"
     from filled_allocation a join trade_order o on o.id = a.order_id
     where o.book_id = $1 and a.follow_id is not null and o.kind not in ('join', 'exit') order by a.at, a.follow_id`,
    [strategy.bookId],
  );
}

/** Each follow has exactly one fill or one explained skip per round. */
function expectExplained(copies: readonly CopyRow[]): void {
  for (const { reason, filledOut } of copies) expect(reason === null).toBe(filledOut !== null);
}

async function expectBooksEqualChain(): Promise<void> {
  expect(await differencesToChain(world)).toEqual({});
}

async function poolOfMint(): Promise<{ tokens: bigint; solReserve: bigint }> {
  const pool = (await world.pools.load([world.mint])).get(world.mint)!;
  return { tokens: pool.tokenReserve + pool.virtualTokens, solReserve: pool.solReserve + pool.virtualSol };
}

async function tokensInClosedBooks(): Promise<number> {
  const rows = await world.database.query(
    `select 1 from balance b join book k on k.id = b.book_id where k.status = 'closed' and b.amount > 0`,
  );
  return rows.length;
}

describe('copying', () => {
  it('explains the gap of followers by the fees of every round that they took part in', async () => {
    const strategy = await aFollowedStrategy();
    await placeStrategyRound(deps, aRound(strategy));
    await placeStrategyRound(deps, aRound(strategy, { side: 'sell', amountIn: baseUnits(1_000_000n) }));
    const { database } = world;
    const aged = `update follow set opened_at = opened_at - interval '2 hours', amount_lamports = greatest(amount_lamports, 100000000)
      where strategy_id = $1 returning amount_lamports as amount`;
    const amounts = await database.write<{ amount: bigint }>(aged, [strategy.id]);
    const [fees] = await database.query<{ followers: bigint; creator: bigint }>(
      `select sum(x.fee_lamports) filter (where x.book_id <> $2) as followers, sum(x.fee_lamports) filter (where x.book_id = $2) as creator
       from standing_fill x join book k on k.id = x.book_id where k.wallet_id = $1`,
      [strategy.walletId, strategy.bookId],
    );
    const deposited = amounts.reduce((sum, { amount }) => sum + amount, 0n);
    const beyond = fees!.followers - (fees!.creator * deposited) / strategy.capitalLamports;
    const gap = await loadFollowerGap(deps, strategy, rate(0n), 0n, new Map());
    expect(fees!.followers).toBeGreaterThan(0n);
    expect(gap!.fees).toBe(rateOf(beyond, deposited));
    // The median is of follows of at least 0.1 SOL, and so is what explains it.
    await database.write(`update follow set amount_lamports = 99999999 where strategy_id = $1`, [strategy.id]);
    expect(await loadFollowerGap(deps, strategy, rate(0n), 0n, new Map())).toBeNull();
  });

  it('gives each follow one fill or one explained skip per round, however often the events come', async () => {
    const strategy = await aFollowedStrategy();
    await placeStrategyRound(deps, aRound(strategy));
    await placeStrategyRound(deps, aRound(strategy, { side: 'sell', amountIn: baseUnits(1_000_000n) }));
    const before = await copiesOf(strategy);
    expect(before).toHaveLength(2 * FOLLOWERS);
    expect(before.filter(({ filledOut }) => filledOut !== null).length).toBeGreaterThan(FOLLOWERS);
    const events = await world.database.query<{ payload: FillsRecorded }>(
      `select payload from outbox where topic = 'fill-recorded'`,
    );
    for (let repeat = 0; repeat < 5; repeat += 1) {
      const changes = new BookChanges(deps);
      await Promise.all(events.map(({ payload }) => changes.onFills(payload)));
    }
    expectExplained(before);
    expect(await copiesOf(strategy)).toEqual(before);
    const recorded = await world.database.query(
      `select 1 from strategy_event where strategy_id = $1 and kind = 'trade'`,
      [strategy.id],
    );
    expect(recorded).toHaveLength(3);
    await expectBooksEqualChain();
  });

  it.each(['buy', 'sell'] as const)(
    'does not %s along at a price that moved after the round was planned',
    async (side) => {
      const strategy = await aFollowedStrategy();
      const [whale] = await world.traders(1, 400n * SOL);
      const { userId, bookId } = whale!;
      const push = (way: 'buy' | 'sell', amountIn: bigint) =>
        world.engine.placeOrder(
          {
            userId,
            bookId,
            side: way,
            mint: world.mint,
            amountIn: unitsIn(way, amountIn),
            slippageBps: 5_000,
            kind: 'trade',
          },
          { waitMs: 20_000 },
        );
      const { tokens, solReserve } = await poolOfMint();
      if (side === 'sell') await push('buy', solReserve / 25n);
      const amountIn = side === 'buy' ? SOL / 10n : 1_000_000n;
      // In the transaction that plans the round: later than what it was planned with, earlier than its first quote.
      const alongside = async () => {
        const moved = await push(side, side === 'buy' ? solReserve / 25n : tokens / 28n);
        expect(moved.error).toBeNull();
      };
      const order = await placeStrategyRound(
        deps,
        aRound(strategy, { side, amountIn: unitsIn(side, amountIn), alongside }),
      );
      const copies = (await copiesOf(strategy)).filter(({ reason }) => reason === 'price-moved');
      expect(copies.length).toBeGreaterThan(0);
      // The creator's own purchase goes on within his own slippage; a sale is for all or for none.
      expect(order.filledOut !== null).toBe(side === 'buy');
    },
  );

  it('plans no round before the last one has come to its end', async () => {
    const strategy = await aFollowedStrategy();
    await placeStrategyRound(deps, aRound(strategy, { side: 'sell', amountIn: SELL_ALL }));
    const dying = strategiesOn(world, {
      engine: { ...bound(world), execute: () => Promise.reject(new Error('killed')) },
    });
    const id = randomUUID();
    await expect(placeStrategyRound(dying, aRound(strategy, { id }))).rejects.toThrow('killed');
    const sale = aRound(strategy, { side: 'sell', amountIn: SELL_ALL });
    await expect(placeStrategyRound(deps, { ...sale, waitMs: 0 })).rejects.toMatchObject({
      errorName: 'TRADE_UNDER_WAY',
    });
    const again = new OrderEngine(world.ports);
    await again.recover();
    const [bought] = await again.waitFor([id], 30_000);
    await again.stop();
    expect((await placeStrategyRound(deps, sale)).filledIn).toBe(bought!.filledOut);
    await expectBooksEqualChain();
  });

  it('opens once all its coins are bought, however long the first takes', async () => {
    const creator = (await world.traders(1, 10n * SOL))[0]!;
    const other = (await plainMints(world)).find((mint) => mint !== world.mint)!;
    const slow = strategiesOn(world, {
      engine: { ...bound(world), execute: async ({ order }) => order, waitFor: async () => [] },
    });
    const coins = [world.mint, other].map((mint) => ({ tokenContractAddress: mint, weight: '20' }));
    const plan = { name: 'Slow', description: '', capital: lamports(4n * SOL), coins, autoClear: true };
    const { strategy, orders } = await createStrategy(slow, creator.userId, plan, 'slow');
    expect({ status: strategy.status, orders: orders.length }).toEqual({ status: 'publishing', orders: 1 });
    const again = new OrderEngine(world.ports);
    await again.recover();
    await again.waitFor([orders[0]!.id], 30_000);
    await again.stop();
    const opened = await createStrategy(deps, creator.userId, plan, 'slow');
    expect(opened.strategy.status).toBe('running');
    expect(opened.orders.map(({ filledOut }) => filledOut !== null)).toEqual([true, true]);
    await expectBooksEqualChain();
  });

  it('finishes a round whose process died before it could trade, for everybody or for nobody', async () => {
    const strategy = await aFollowedStrategy();
    const dying = strategiesOn(world, {
      engine: { ...bound(world), execute: () => Promise.reject(new Error('killed')) },
    });
    await expect(placeStrategyRound(dying, aRound(strategy))).rejects.toThrow('killed');
    const [planned] = await copiesOf(strategy);
    expect(planned).toMatchObject({ filledOut: null });
    const again = new OrderEngine(world.ports);
    await again.recover();
    const [order] = await again.waitFor([planned!.orderId], 30_000);
    await again.stop();
    expect(['confirmed', 'finalized', 'dead']).toContain(order!.state);
    const copies = await copiesOf(strategy);
    expectExplained(copies);
    expect(copies.some(({ filledOut }) => filledOut !== null)).toBe(order!.filledOut !== null);
    await expectBooksEqualChain();
  });

  it('never copies after a cancel was acknowledged, and leaves nothing in a closed book', async () => {
    for (let race = 0; race < RACES; race += 1) {
      const strategy = await aFollowedStrategy();
      const acknowledged = new Map<string, Date>();
      const round = placeStrategyRound(
        deps,
        aRound(strategy, race % 2 === 0 ? {} : { side: 'sell', amountIn: baseUnits(5_000_000n) }),
      );
      const cancels = followers.map(async (trader, index) => {
        // Spread over the life of a round: before it, inside each step of it and after.
        await new Promise((resolve) => setTimeout(resolve, (index * 600) / FOLLOWERS));
        const follow = await cancelFollow(deps, trader.userId, strategy.slug);
        acknowledged.set(follow.id, new Date());
        return follow;
      });
      await Promise.all([round, ...cancels]);
      await passUntilClosed(deps, strategy.id);
      const late = await world.database.query<{ followId: string; at: Date }>(
        `select a.follow_id as "followId", a.at from allocation a join trade_order o on o.id = a.order_id
         where o.book_id = $1 and a.follow_id is not null and o.kind = 'trade'`,
        [strategy.bookId],
      );
      for (const { followId, at } of late)
        expect(at.getTime()).toBeLessThanOrEqual(acknowledged.get(followId)!.getTime());
      expectExplained(await copiesOf(strategy));
      expect(await tokensInClosedBooks()).toBe(0);
      // Its capital goes back to the creator, who has many races before him.
      await endStrategy(deps, strategy.id);
      await passUntilClosed(deps, strategy.id);
    }
    await expectBooksEqualChain();
  });

  it('ends a strategy in the middle of rounds and cancels with every book empty', async () => {
    for (let race = 0; race < RACES; race += 1) {
      const strategy = await aFollowedStrategy();
      const results = await Promise.allSettled([
        placeStrategyRound(deps, aRound(strategy)),
        placeStrategyRound(deps, aRound(strategy, { side: 'sell', amountIn: baseUnits(2_000_000n) })),
        endStrategy(deps, strategy.id),
        cancelFollow(deps, followers[0]!.userId, strategy.slug),
        cancelFollow(deps, followers[1]!.userId, strategy.slug),
      ]);
      expect(results[2].status).toBe('fulfilled');
      await passUntilClosed(deps, strategy.id);
      const open = await world.database.query(
        `select 1 from follow where strategy_id = $1 and status <> 'closed'
         union all select 1 from strategy where id = $1 and status <> 'ended'`,
        [strategy.id],
      );
      expect(open).toEqual([]);
      expectExplained(await copiesOf(strategy));
      expect(await tokensInClosedBooks()).toBe(0);
    }
    await expectBooksEqualChain();
  });
});

function bound({ engine }: TradingWorld): Strategies['engine'] {
  return {
    placeRound: (...args) => engine.placeRound(...args),
    execute: (...args) => engine.execute(...args),
    finished: (...args) => engine.finished(...args),
    checkQuote: (...args) => engine.checkQuote(...args),
    waitFor: (...args) => engine.waitFor(...args),
  };
}
