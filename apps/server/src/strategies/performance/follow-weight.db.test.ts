import type { Address } from '@hunter/solana/address';
import { lamports } from '@hunter/domain/numbers/lamports';
import { expect, it } from 'vitest';
import { useTradingWorld } from '../../trading/use-trading-world-for-test.ts';
import type { TradingWorld } from '../../trading/world-for-test.ts';
import { changeFunds } from '../change-funds.ts';
import type { Strategies } from '../strategies.ts';
import { strategiesOn } from '../strategies-for-test.ts';
import { plainMints, SOL, strategySteps } from '../strategy-steps-for-test.ts';
import { markStrategies } from './mark-strategies.ts';

let world: TradingWorld;
let deps: Strategies;
let mints: Address[];

useTradingWorld(async (started) => {
  world = started;
  deps = strategiesOn(world);
  mints = await plainMints(world);
});

const { aStrategy, follow } = strategySteps(() => ({ world, deps, mints }));

it('weighs a follow with its SOL for the time it was in, and not what was added at last', async () => {
  const [creator, follower] = await world.traders(2, 10n * SOL);
  const strategy = await aStrategy(creator!, { coins: [] });
  const followed = await follow(follower!, strategy.slug);
  await world.database.write(`update follow set opened_at = opened_at - interval '10 days' where id = $1`, [
    followed.id,
  ]);
  await world.database.write(
    `update transfer set created_at = created_at - interval '10 days'
     where id in (select transfer_id from transfer_leg where to_book = $1)`,
    [followed.bookId],
  );
  const added = { slug: strategy.slug, action: 'add' as const, amount: lamports(3n * SOL) };
  await changeFunds(deps, follower!.userId, added, 'late');
  await markStrategies(deps, [strategy.id]);
  const [stats] = await world.database.query<{ days: number; sample: number }>(
    `select follow_weight as days, follower_sample as sample from strategy_stats where strategy_id = $1`,
    [strategy.id],
  );
  expect(stats!.sample).toBe(1);
  expect(stats!.days).toBeCloseTo(10, 1);
});
