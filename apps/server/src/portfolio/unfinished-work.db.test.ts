import { randomUUID } from 'node:crypto';
import { lamports } from '@hunter/domain/numbers/lamports';
import { expect, it } from 'vitest';
import { createStrategy } from '../strategies/create-strategy.ts';
import { followStrategy } from '../strategies/follow-strategy.ts';
import { strategiesOn } from '../strategies/strategies-for-test.ts';
import { useTradingWorld } from '../trading/use-trading-world-for-test.ts';
import type { Trader, TradingWorld } from '../trading/world-for-test.ts';
import { countUnfinished } from './unfinished-work.ts';

const SOL = 1_000_000_000n;
let world: TradingWorld;

useTradingWorld((started) => {
  world = started;
});

it('counts a follow that leaves and a strategy that ends, but not while the signer holds the return for an hour', async () => {
  const { database } = world;
  const deps = strategiesOn(world);
  const [leader, follower] = (await world.traders(2, 60n * SOL)) as [Trader, Trader];
  const wanted = { name: 'Leaving', description: '', capital: lamports(3n * SOL), coins: [], autoClear: true };
  const { strategy } = await createStrategy(deps, leader.userId, wanted, 'create');
  const request = { slug: strategy.slug, mode: 'sol' as const, amount: lamports(2n * SOL), multiplier: '1' };
  const follow = await followStrategy(deps, follower.userId, request, 'follow');
  const unfinished = async (): Promise<number> => {
    // Nobody takes the messages about alerts and mails here.
    await database.write(`update outbox set done_at = now() where done_at is null`);
    return countUnfinished(database);
  };
  await expect.poll(unfinished).toBe(0);

  await database.write(`update follow set status = 'closing' where id = $1`, [follow.id]);
  await database.write(`update strategy set status = 'ending' where id = $1`, [strategy.id]);
  expect(await unfinished()).toBe(2);

  const returnId = randomUUID();
  await database.write(
    `insert into transfer (id, kind, wallet_id, retry_at) values ($1, 'return', $2, now() + interval '1 hour')`,
    [returnId, strategy.walletId],
  );
  await database.write(`update follow set return_id = $2 where id = $1`, [follow.id, returnId]);
  expect(await unfinished()).toBe(0);

  await database.write(`update transfer set retry_at = now() where id = $1`, [returnId]);
  expect(await unfinished()).toBe(3);

  await database.write(`update transfer set state = 'finalized' where id = $1`, [returnId]);
  await database.write(
    `update follow set return_id = null, close_not_before = now() + interval '1 hour' where id = $1`,
    [follow.id],
  );
  expect(await unfinished()).toBe(1);
});
