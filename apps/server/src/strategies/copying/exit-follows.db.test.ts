import type { Address } from '@hunter/solana/address';
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { SELL_ALL } from '../../trading/order.ts';
import { useTradingWorld } from '../../trading/use-trading-world-for-test.ts';
import type { TradingWorld } from '../../trading/world-for-test.ts';
import { beginClosing } from '../cancel-follow.ts';
import { passUntilClosed, strategiesOn } from '../strategies-for-test.ts';
import type { Strategies } from '../strategies.ts';
import { plainMints, SOL, strategySteps } from '../strategy-steps-for-test.ts';
import { exitFollows, sellInFollow } from './exit-follows.ts';

let world: TradingWorld;
let deps: Strategies;
let mints: Address[];

useTradingWorld(async (started) => {
  world = started;
  deps = strategiesOn(world);
  mints = await plainMints(world);
});

const { aStrategy, follow } = strategySteps(() => ({ world, deps, mints }));

it('sells a coin within the slippage of those who hold it, whatever the market refused somebody else who leaves', async () => {
  const [creator, first, second] = await world.traders(3, 5n * SOL);
  const strategy = await aStrategy(creator!);
  const [stuck, leaving] = [await follow(first!, strategy.slug), await follow(second!, strategy.slug)];
  await passUntilClosed(deps, strategy.id);
  // As if the market had taken the other coin of the first twice and this one never.
  const { userId, bookId } = stuck;
  const sale = { userId, bookId, side: 'sell', mint: mints[1]!, amountIn: SELL_ALL, slippageBps: 500 } as const;
  await sellInFollow(deps, { ...sale, id: randomUUID(), kind: 'trade' });
  await beginClosing(
    deps,
    strategy.id,
    [stuck, leaving].map((each) => ({ follow: each, by: 'follower' })),
  );
  await world.database.write(`update follow set close_refusals = 2 where id = $1`, [stuck.id]);
  await exitFollows(deps, strategy.id);
  const exits = await world.database.query<{ mint: Address; slippageBps: number }>(
    `select mint, slippage_bps as "slippageBps" from trade_order where book_id = $1 and kind = 'exit' order by created_at desc limit 2`,
    [strategy.bookId],
  );
  expect(new Map(exits.map(({ mint, slippageBps }) => [mint, slippageBps]))).toEqual(
    new Map([
      [mints[0], 1_500],
      [mints[1], 200],
    ]),
  );
});
