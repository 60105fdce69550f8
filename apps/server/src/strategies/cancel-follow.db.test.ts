import { expect, it } from 'vitest';
import { useTradingWorld } from '../trading/use-trading-world-for-test.ts';
import type { Trader, TradingWorld } from '../trading/world-for-test.ts';
import { beginClosing, cancelFollow } from './cancel-follow.ts';
import { loadFollowById } from './follow-store.ts';
import type { Strategies } from './strategies.ts';
import { passUntilClosed, strategiesOn } from './strategies-for-test.ts';
import { SOL, strategySteps } from './strategy-steps-for-test.ts';

let world: TradingWorld;
let deps: Strategies;
useTradingWorld((started) => {
  world = started;
  deps = strategiesOn(world);
});

const { aStrategy, follow, ask } = strategySteps(() => ({ world, deps, mints: [] }));

it('answers a cancel that is repeated with the follow as it is, while it closes and when it is over', async () => {
  const [creator, follower] = (await world.traders(2, 5n * SOL)) as [Trader, Trader];
  const { id, slug } = await aStrategy(creator, { coins: [] });
  const followed = await follow(follower, slug);
  await beginClosing(deps, id, [{ follow: followed, by: 'follower' }]);
  expect(await cancelFollow(deps, follower.userId, slug)).toMatchObject({ id: followed.id, closedBy: 'follower' });
  await passUntilClosed(deps, id);
  const closed = await loadFollowById(world.database, followed.id);
  expect(closed.status).toBe('closed');
  const reply = await ask('cancelFollow', follower.userId, { slug });
  expect(reply).toMatchObject({ id: followed.id, status: 'closed', closeTime: closed.closedAt!.getTime() });
  expect(await loadFollowById(world.database, followed.id)).toEqual(closed);
});
