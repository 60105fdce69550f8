import { afterEach, expect, it } from 'vitest';
import { LocalBus } from '../platform/bus/local-bus.ts';
import { systemClock as clock } from '../platform/clock.ts';
import { LeaseKeeper } from '../platform/lease-keeper.ts';
import { createLog } from '../platform/log.ts';
import type { Database } from '../platform/postgres.ts';
import { useTestDatabase } from '../platform/postgres-for-test.ts';
import { laneShard, SharesLanes, StrategyLanes } from './strategy-lanes.ts';

let database: Database;
let databaseUrl: string;
useTestDatabase((opened, url) => {
  database = opened;
  databaseUrl = url;
});

const log = createLog('silent');
const strategyId = '0000000a-0000-4000-8000-000000000000';
let stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops) await stop();
  stops = [];
});

function anEngine(bus: LocalBus) {
  const keeper = new LeaseKeeper({ databaseUrl, durationMs: 30_000, clock, log, onLost: () => {} });
  keeper.start();
  const owners = new SharesLanes({ keeper, bus, clock });
  stops.push(async () => {
    owners.stop();
    await keeper.stop();
  });
  return { owners, lanes: new StrategyLanes(owners) };
}

it('runs the work of one strategy in one process at a time, and hands its lane over when another needs it', async () => {
  const bus = new LocalBus();
  const [left, right] = [anEngine(bus), anEngine(bus)];
  const events: string[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const first = left.lanes.run(strategyId, 'creator', async () => {
    events.push('left begins');
    await released;
    await database.transaction((sql) => left.lanes.requireOwned(sql, strategyId));
    events.push('left ends');
  });
  await expect.poll(() => events).toEqual(['left begins']);
  const second = right.lanes.run(strategyId, 'exit', async () => {
    await database.transaction((sql) => right.lanes.requireOwned(sql, strategyId));
    events.push('right');
  });
  await clock.pause(500);
  release();
  await Promise.all([first, second]);
  expect(events).toEqual(['left begins', 'left ends', 'right']);
  const late = database.transaction((sql) => left.lanes.requireOwned(sql, strategyId));
  await expect(late).rejects.toThrow('taken over');
});

it('shares the lanes among the engines, and finds a strategy’s group by SQL as by its id', async () => {
  const bus = new LocalBus();
  const [left, right] = [anEngine(bus), anEngine(bus)];
  await left.owners.balance(1);
  expect(left.owners.mine()).toHaveLength(64);
  await left.owners.balance(2);
  await right.owners.balance(2);
  expect([left.owners.mine().length, right.owners.mine().length]).toEqual([32, 32]);
  const [row] = await database.query<{ left: boolean; right: boolean }>(
    `select ${left.lanes.mineCondition('id', '$2')} as left, ${right.lanes.mineCondition('id', '$3')} as right
     from (select $1::uuid as id) s`,
    [strategyId, left.lanes.mineValue, right.lanes.mineValue],
  );
  expect(row).toEqual({ left: left.owners.mine().includes(laneShard(strategyId)), right: !row!.left });
});
