import type { Address } from '@hunter/solana/address';
import type { Pool } from '@hunter/domain/market/swap-maths';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { lamports } from '@hunter/domain/numbers/lamports';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { SELL_ALL } from '../../trading/order.ts';
import { loadJoinedLately } from '../../trading/rounds/allocation-store.ts';
import { useTradingWorld } from '../../trading/use-trading-world-for-test.ts';
import type { Trader, TradingWorld } from '../../trading/world-for-test.ts';
import { loadHoldings } from '../book-holdings.ts';
import { loadFollowById } from '../follow-store.ts';
import { StrategyLifecycle } from '../lifecycle.ts';
import type { Strategies } from '../strategies.ts';
import { strategiesOn } from '../strategies-for-test.ts';
import { plainMints, SOL, strategySteps } from '../strategy-steps-for-test.ts';
import { updateFollow } from '../update-follow.ts';
import { placeStrategyRound } from './place-strategy-round.ts';

let world: TradingWorld;
let deps: Strategies;
let mints: Address[];

useTradingWorld(async (started) => {
  world = started;
  deps = strategiesOn(world);
  mints = await plainMints(world);
});

const { aStrategy, follow, tokensIn } = strategySteps(() => ({ world, deps, mints }));

/** The same price in a pool of another size. */
function withReserve(pool: Pool, solReserve: bigint): Pool {
  const whole = pool.solReserve + pool.virtualSol;
  const tokenReserve = baseUnits(((pool.tokenReserve + pool.virtualTokens) * solReserve) / whole);
  const none = { virtualSol: lamports(0n), virtualTokens: baseUnits(0n) };
  return { ...pool, ...none, solReserve: lamports(solReserve), tokenReserve };
}

it('lets joins of an hour move the price only so far together, and says that the rest waits for depth', async () => {
  const [creator, first, second] = await world.traders(3, 8n * SOL);
  // Planned with pools of 60 SOL at the same price: joins of an hour may spend about 0.45 SOL.
  const shallow: Strategies['pools'] = {
    load: async (asked) => {
      const pools = await world.pools.load(asked);
      return new Map([...pools].map(([mint, pool]) => [mint, withReserve(pool, 60n * SOL)] as const));
    },
  };
  const by = strategiesOn(world, { pools: shallow });
  const strategy = await aStrategy(creator!, { coins: [[mints[0]!, '40']] }, by);
  const outcomeOf = async (trader: Trader) => {
    const { id, bookId } = await follow(trader, strategy.slug, 6n * SOL, 'sol', by);
    const plan = async () => (await loadFollowById(world.database, id)).plan;
    await expect.poll(plan, { timeout: 120_000 }).toMatchObject([{ reason: 'depth' }]);
    return tokensIn(bookId);
  };
  expect(await outcomeOf(first!)).toBe(1);
  expect(await outcomeOf(second!)).toBe(0);
  // Of the creator and not of the one strategy: he could sell in another one what joins have lifted in this.
  const joinedOf = ({ userId }: Trader) =>
    loadJoinedLately(world.database, userId, mints[0]!, new Date(systemClock.nowMs()));
  expect(await joinedOf(creator!)).toBeGreaterThan(0n);
  expect(await joinedOf(first!)).toBe(0n);
});

describe('what joining left over', () => {
  /** Joins of an hour may spend about 0.9 SOL; the clock is where the test puts it. */
  async function aWaitingFollow(trader: Trader) {
    let aheadMs = 0;
    const clock = { ...systemClock, nowMs: () => systemClock.nowMs() + aheadMs };
    const pools: Strategies['pools'] = {
      load: async (asked) => {
        const loaded = await world.pools.load(asked);
        return new Map([...loaded].map(([mint, pool]) => [mint, withReserve(pool, 120n * SOL)] as const));
      },
    };
    const by = strategiesOn(world, { pools, clock });
    const [creator] = await world.traders(1, 5n * SOL);
    const strategy = await aStrategy(creator!, { coins: [[mints[0]!, '40']] }, by);
    const { id } = await follow(trader, strategy.slug, (15n * SOL) / 2n, 'sol', by);
    const plan = async () => (await loadFollowById(world.database, id)).plan;
    await expect.poll(plan, { timeout: 120_000 }).toMatchObject([{ reason: 'depth' }]);
    const later = (ms: number): void => void (aheadMs += ms);
    return { by, strategy, id, later };
  }

  /** What the parts of each round of joins wanted, by follow, the newest first. */
  async function joinsOf(strategyId: string) {
    const rows = await world.database.query<{ orderId: string; followId: string; wanted: bigint; filled: bigint }>(
      `select a.order_id as "orderId", a.follow_id as "followId", a.wanted_in as wanted, a.filled_in as filled
       from strategy s join trade_order o on o.book_id = s.book_id and o.kind = 'join'
         join filled_allocation a on a.order_id = o.id and a.is_filled where s.id = $1 order by o.created_at desc`,
      [strategyId],
    );
    return [...Map.groupBy(rows, ({ orderId }) => orderId).values()];
  }

  it('is shared in one round by all who wait, whoever comes in the right second', async () => {
    const [first, second] = await world.traders(2, 9n * SOL);
    const { by, strategy, id, later } = await aWaitingFollow(first!);
    const { id: other } = await follow(second!, strategy.slug, 7n * SOL, 'sol', by);
    const isTried = async () => (await loadFollowById(world.database, other)).plan[0]!.reason;
    await expect.poll(isTried, { timeout: 120_000 }).toBe('depth');
    later(61 * 60_000);
    // Only the second one is due.
    await world.database.write(`update follow set join_at = $2 where id = $1`, [
      id,
      new Date(by.clock.nowMs() + 60_000),
    ]);
    await new StrategyLifecycle(by).pass();
    await expect.poll(async () => (await joinsOf(strategy.id)).length, { timeout: 120_000 }).toBe(2);
    const [newest] = await joinsOf(strategy.id);
    expect(newest!.map(({ followId }) => followId).toSorted()).toEqual([id, other].toSorted());
    const [one, another] = newest!.map(({ filled }) => filled);
    expect(one! - another! <= 1n && another! - one! <= 1n).toBe(true);
  });

  it('is wanted no more as far as the creator has sold the coin since', async () => {
    const [first] = await world.traders(1, 9n * SOL);
    const { by, strategy, id, later } = await aWaitingFollow(first!);
    const { lamports: planned, heldTokens } = (await loadFollowById(world.database, id)).plan[0]!;
    const before = (await joinsOf(strategy.id))[0]![0]!;
    const kept = BigInt(heldTokens!) / 2n;
    await placeStrategyRound(by, {
      strategyId: strategy.id,
      side: 'sell',
      mint: mints[0]!,
      amountIn: baseUnits(BigInt(heldTokens!) - kept),
      slippageBps: 500,
      kind: 'trade',
    });
    later(61 * 60_000);
    await new StrategyLifecycle(by).pass();
    await expect.poll(async () => (await joinsOf(strategy.id)).length, { timeout: 120_000 }).toBe(2);
    expect((await joinsOf(strategy.id))[0]![0]!.wanted).toBe(
      ((BigInt(planned!) - before.filled) * kept) / BigInt(heldTokens!),
    );
  });

  it('is not wanted again where the creator has bought back what he sold', async () => {
    const [first] = await world.traders(1, 9n * SOL);
    const { by, strategy, id, later } = await aWaitingFollow(first!);
    const { heldTokens } = (await loadFollowById(world.database, id)).plan[0]!;
    const order = { strategyId: strategy.id, mint: mints[0]!, slippageBps: 500, kind: 'trade' } as const;
    const pause = (paused: boolean) => updateFollow(by, first!.userId, { slug: strategy.slug, paused, protection: {} });
    await placeStrategyRound(by, { ...order, side: 'sell', amountIn: SELL_ALL });
    // Whoever pauses does not buy along; what joining left over would be bought beside a copy, too.
    await pause(true);
    await placeStrategyRound(by, { ...order, side: 'buy', amountIn: lamports(SOL) });
    await pause(false);
    const [held] = (await loadHoldings(world.database, [strategy.bookId])).values();
    expect(held!.tokens.get(mints[0]!)).toBeGreaterThan(BigInt(heldTokens!));
    later(61 * 60_000);
    const isTried = async () => {
      const [row] = await world.database.query<{ joinAt: Date }>(
        `select join_at as "joinAt" from follow where id = $1`,
        [id],
      );
      return +row!.joinAt > by.clock.nowMs();
    };
    expect(await isTried()).toBe(false);
    await new StrategyLifecycle(by).pass();
    await expect.poll(isTried, { timeout: 120_000 }).toBe(true);
    expect(await joinsOf(strategy.id)).toHaveLength(1);
  });

  it('keeps nobody at the door who paused in between', async () => {
    const [first] = await world.traders(1, 9n * SOL);
    const { by, strategy, id, later } = await aWaitingFollow(first!);
    await world.database.write(`update follow set status = 'opening', paused = true where id = $1`, [id]);
    later(25 * 60 * 60_000);
    await new StrategyLifecycle(by).pass();
    const status = async () => (await loadFollowById(world.database, id)).status;
    await expect.poll(status, { timeout: 120_000 }).toBe('active');
    expect(await joinsOf(strategy.id)).toHaveLength(1);
  });
});
