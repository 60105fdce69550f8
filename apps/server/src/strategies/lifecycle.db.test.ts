import { lamports } from '@hunter/domain/numbers/lamports';
import { expect, it, vi } from 'vitest';
import { useTradingWorld } from '../trading/use-trading-world-for-test.ts';
import type { TradingWorld } from '../trading/world-for-test.ts';
import { beginClosing } from './cancel-follow.ts';
import { createStrategy } from './create-strategy.ts';
import { followStrategy } from './follow-strategy.ts';
import { StrategyLifecycle } from './lifecycle.ts';
import { passUntilClosed, strategiesOn } from './strategies-for-test.ts';

const SOL = 1_000_000_000n;

let world: TradingWorld;

useTradingWorld((started) => {
  world = started;
});

it('leaves a follow alone whose rest is offered again later', async () => {
  const deps = strategiesOn(world);
  const [creator, follower] = await world.traders(2, 20n * SOL);
  const plan = { name: 'Rests', description: '', capital: lamports(10n * SOL), coins: [], autoClear: true };
  const { strategy } = await createStrategy(deps, creator!.userId, plan, 'rests');
  const request = { slug: strategy.slug, mode: 'sol' as const, amount: lamports(5n * SOL), multiplier: '1' };
  const follow = await followStrategy(deps, follower!.userId, request, 'rests');
  await beginClosing(deps, strategy.id, [{ follow, by: 'follower' }]);
  const offerAgain = (when: string) =>
    world.database.write(`update follow set close_not_before = now() + $2::interval where id = $1`, [follow.id, when]);
  const turns = vi.spyOn(deps.lanes, 'run');

  await offerAgain('1 hour');
  await new StrategyLifecycle(deps).pass();
  expect(turns).not.toHaveBeenCalled();

  await offerAgain('-1 second');
  await passUntilClosed(deps, strategy.id);
  expect(turns).toHaveBeenCalled();
});
