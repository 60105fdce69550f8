import { describe, expect, it } from 'vitest';
import { mintNamed } from '@hunter/domain/address-for-test';
import type { Address } from '@hunter/solana/address';
import { systemClock } from '../platform/clock.ts';
import { useTradingWorld } from '../trading/use-trading-world-for-test.ts';
import type { Trader, TradingWorld } from '../trading/world-for-test.ts';
import { placeStrategyRound } from './copying/place-strategy-round.ts';
import { followedSteps } from './followed-steps-for-test.ts';
import { FollowGuard, guardFollows } from './guard-follows.ts';
import { strategiesOn } from './strategies-for-test.ts';

const SOL = 1_000_000_000n;

let world: TradingWorld;
let follower: Trader;

useTradingWorld(async (started) => {
  world = started;
  follower = (await world.traders(1, 200n * SOL))[0]!;
});

const { aFollowed, aPurchase } = followedSteps(() => ({ world, follower }));

describe('the guard of follows', () => {
  it('asks a follow as soon as the price of a token it holds moves, and all of them now and then', async () => {
    let nowMs = Date.now();
    const deps = strategiesOn(world, { clock: { ...systemClock, nowMs: () => nowMs } });
    const { strategy, follow } = await aFollowed(strategiesOn(world));
    await placeStrategyRound(deps, aPurchase(strategy));
    const guard = new FollowGuard(deps);
    const reached = async () => {
      await guard.pass();
      const [row] = await world.database.query<{ guard: string | null }>(`select guard from follow where id = $1`, [
        follow.id,
      ]);
      return row!.guard;
    };
    const putIn = (lamportsIn: bigint) =>
      world.database.write(`update follow set amount_lamports = $2 where id = $1`, [follow.id, lamportsIn]);
    expect(await reached()).toBeNull();
    // As if twice as much had been put in: the follow is worth half of it.
    await putIn(10n * SOL);
    guard.pricesMoved(['SomeOtherToken'].map(mintNamed));
    expect(await reached()).toBeNull();
    guard.pricesMoved([world.mint]);
    expect(await reached()).toBe('stop-loss');
    // As if some of it had been taken out: a third is lost.
    await world.database.write(`update follow set returned_lamports = $2 where id = $1`, [follow.id, (3n * SOL) / 2n]);
    guard.pricesMoved([world.mint]);
    expect(await reached()).toBeNull();
    await world.database.write(`update follow set returned_lamports = null where id = $1`, [follow.id]);
    guard.pricesMoved([world.mint]);
    expect(await reached()).toBe('stop-loss');
    await putIn(5n * SOL);
    nowMs += 14_999;
    expect(await reached()).toBe('stop-loss');
    nowMs += 1;
    expect(await reached()).toBeNull();
  });

  it('asks a follow again whose price moved while it could not be asked', async () => {
    let isAway = false;
    const { strategy, follow } = await aFollowed(strategiesOn(world));
    const deps = strategiesOn(world);
    const pools = {
      load: (mints: readonly Address[]) =>
        isAway ? Promise.reject(new Error('the venue is away')) : deps.pools.load(mints),
    };
    await placeStrategyRound(deps, aPurchase(strategy));
    const guard = new FollowGuard({ ...deps, pools });
    await guard.pass();
    await world.database.write(`update follow set amount_lamports = amount_lamports * 2 where id = $1`, [follow.id]);
    guard.pricesMoved([world.mint]);
    isAway = true;
    await expect(guard.pass()).rejects.toThrow('away');
    isAway = false;
    await guard.pass();
    expect(await world.database.query(`select guard from follow where id = $1`, [follow.id])).toEqual([
      { guard: 'stop-loss' },
    ]);
  });

  it('forgets no stop loss that was reached because a pool cannot be read for a moment', async () => {
    const deps = strategiesOn(world);
    const { strategy, follow } = await aFollowed(deps);
    await placeStrategyRound(deps, aPurchase(strategy));
    // As if twice as much had been put in: the follow is worth half of it.
    await world.database.write(`update follow set amount_lamports = amount_lamports * 2 where id = $1`, [follow.id]);
    await guardFollows(deps, [follow.id]);
    await world.database.write(`update follow set guard_since = guard_since - interval '61 seconds' where id = $1`, [
      follow.id,
    ]);
    const guardAndStatus = () => world.database.query(`select guard, status from follow where id = $1`, [follow.id]);
    await guardFollows({ ...deps, pools: { load: async () => new Map() } }, [follow.id]);
    expect(await guardAndStatus()).toEqual([{ guard: 'stop-loss', status: 'active' }]);
    await guardFollows({ ...deps, referencePrice: async () => null }, [follow.id]);
    expect(await guardAndStatus()).toEqual([{ guard: 'stop-loss', status: 'active' }]);
    await guardFollows(deps, [follow.id]);
    expect(await guardAndStatus()).toEqual([{ guard: 'stop-loss', status: 'closing' }]);
  });
});
