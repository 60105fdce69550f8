import { beforeAll, expect, it } from 'vitest';
import { systemClock } from '../platform/clock.ts';
import { LiveBus } from '../platform/live-bus.ts';
import { createLog } from '../platform/log.ts';
import type { Database } from '../platform/postgres.ts';
import { LiveMarket } from './live-market.ts';
import { aMarketDatabase, aToken, aTrade, START_MS } from './market-for-test.ts';
import type { MarketStore } from './market-store.ts';

const log = createLog('silent');
const market = aMarketDatabase();
let database: Database;

beforeAll(() => {
  database = market.database;
});

function aLiveMarket(deps: {
  store: MarketStore;
  isFollowed: (channel: string, key: string) => boolean;
  nowMs?: () => number;
  lagMs?: () => number | null;
}) {
  const { store, isFollowed, nowMs = () => START_MS, lagMs = () => 0 } = deps;
  const bus = new LiveBus();
  const clock = { ...systemClock, nowMs };
  return { bus, live: new LiveMarket({ store, database, bus, clock, log, isFollowed, lagMs }) };
}

it('publishes a burst of trades as one message per channel, for followed tokens only', async () => {
  const store = await market.emptyStore();
  await store.storeTokens([aToken(), aToken({ mint: 'MintB' })]);
  const { bus, live } = aLiveMarket({ store, isFollowed: (_channel, key) => key === 'MintA' || key === 'MintA:1m' });
  const published: [string, string, unknown][] = [];
  bus.subscribe((channel, key, data) => published.push([channel, key, data]));
  live.start();
  try {
    await store.storeTrades(
      [aTrade(), aTrade({ seq: 2n, lamports: 2_000_000_000n }), aTrade({ seq: 3n, mint: 'MintB' })],
      'test',
      {},
    );
    await expect.poll(() => published).toHaveLength(3);
  } finally {
    await live.stop();
  }
  expect(published.map(([channel, key]) => [channel, key])).toEqual([
    ['trades', 'MintA'],
    ['price', 'MintA'],
    ['candles', 'MintA:1m'],
  ]);
  expect(published[0]![2]).toMatchObject([{ id: '2' }, { id: '1' }]);
  expect(published[1]![2]).toMatchObject({ tokenContractAddress: 'MintA', price: '60' });
  expect(published[2]![2]).toMatchObject({ o: '30', h: '60', c: '60', closed: false });
});

it('tells a candle as it ended before the next one, which opens at its close', async () => {
  const store = await market.emptyStore();
  await store.storeTokens([aToken()]);
  let nowMs = START_MS;
  const { bus, live } = aLiveMarket({ store, isFollowed: (_channel, key) => key === 'MintA:1m', nowMs: () => nowMs });
  const candles: unknown[] = [];
  bus.subscribe((_channel, _key, data) => candles.push(data));
  await store.storeTrades([aTrade()], 'test', {});
  live.start();
  try {
    // The trade is of the minute that has passed when it is told.
    nowMs = START_MS + 60_000;
    await store.storeTrades([aTrade({ seq: 2n, lamports: 2_000_000_000n })], 'test', {});
    await expect.poll(() => candles).toHaveLength(2);
  } finally {
    await live.stop();
  }
  expect(candles).toMatchObject([
    { o: '30', h: '60', c: '60', v: '10', closed: true },
    { o: '60', h: '60', l: '60', c: '60', v: '0', closed: false },
  ]);
});

it('tells no change of a window that says nothing of now', async () => {
  const store = await market.emptyStore();
  await store.storeTokens([aToken()]);
  await database.write(`update token_stats set change_1h = 50, change_24h = 80`);
  let lagMs: number | null = null;
  const { bus, live } = aLiveMarket({ store, isFollowed: (channel) => channel === 'price', lagMs: () => lagMs });
  const prices: unknown[] = [];
  bus.subscribe((_channel, _key, data) => prices.push(data));
  live.start();
  try {
    for (const [index, lag] of [null, 2 * 3_600_000, 0].entries()) {
      lagMs = lag;
      await store.storeTrades([aTrade({ seq: BigInt(index + 1) })], 'test', {});
      await expect.poll(() => prices).toHaveLength(index + 1);
    }
  } finally {
    await live.stop();
  }
  expect(prices).toMatchObject([
    { change: null, change1h: null },
    { change: '80', change1h: null },
    { change: '80', change1h: '50' },
  ]);
});
