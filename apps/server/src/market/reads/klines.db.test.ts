import { CANDLE_INTERVALS, intervalMs, type CandleInterval } from '@hunter/domain/market/candle-interval';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { mintNamed } from '@hunter/domain/address-for-test';
import { rowsPassedOver } from '../../platform/postgres-for-test.ts';
import type { Database, Sql } from '../../platform/postgres.ts';
import { aMarketDatabase, aToken, aTrade } from '../market-for-test.ts';
import type { MarketStore } from '../market-store.ts';
import { loadKlines } from './klines.ts';

const DAY_MS = 86_400_000;
/** The start of a day, so that every interval begins with it. */
const BASE_MS = Math.floor(1_790_000_000_000 / DAY_MS) * DAY_MS;
const market = aMarketDatabase();
let database: Database;
let store: MarketStore;

beforeAll(() => {
  database = market.database;
});
beforeEach(async () => {
  store = await market.emptyStore();
  await store.storeTokens([aToken()]);
});

const at = (seq: number, offsetMs: number, sol: bigint) =>
  aTrade({ seq: BigInt(seq), atMs: BASE_MS + offsetMs, lamports: sol * 1_000_000_000n, baseUnits: 1_000_000n });

function klines(interval: CandleInterval, nowMs: number, limit = 10, before?: number) {
  return loadKlines(database, store.tokens.get(mintNamed('MintA'))!, { interval, limit, before }, nowMs);
}

it.each(CANDLE_INTERVALS)(
  'draws %s candles from the trades of each interval, connected and without gaps',
  async (interval) => {
    const step = intervalMs(interval);
    // Two trades in the first interval, none in the second, one in the third.
    await store.storeTrades([at(1, 0, 2n), at(2, step - 1, 4n), at(3, 2 * step, 3n)], 'test', {});
    const { lists } = await klines(interval, BASE_MS + 2 * step + 500);
    expect(lists.map(({ t, o, h, l, c, v, closed }) => [(t - BASE_MS) / step, o, h, l, c, v, closed])).toEqual([
      [0, '300', '600', '300', '600', '2', true],
      [1, '600', '600', '600', '600', '0', true],
      [2, '600', '600', '450', '450', '1', false],
    ]);
  },
);

it.each(CANDLE_INTERVALS)('pages %s candles back with before, without overlap or hole', async (interval) => {
  const step = intervalMs(interval);
  await store.storeTrades(
    [0, 1, 2, 3, 4, 5].map((i) => at(i + 1, i * step, BigInt(i + 1))),
    'test',
    {},
  );
  const nowMs = BASE_MS + 5 * step + 500;
  const newest = await klines(interval, nowMs, 2);
  const older = await klines(interval, nowMs, 2, newest.lists[0]!.t);
  const oldest = await klines(interval, nowMs, 2, older.lists[0]!.t);
  const starts = [...oldest.lists, ...older.lists, ...newest.lists].map(({ t }) => (t - BASE_MS) / step);
  expect(starts).toEqual([0, 1, 2, 3, 4, 5]);
  // Across pages too, each opens at the close before it; the close in SOL is the last trade's own.
  expect(older.lists[0]).toMatchObject({ o: oldest.lists[1]!.c, cSol: '3' });
  expect(newest.lists[0]).toMatchObject({ o: older.lists[1]!.c, cSol: '5' });
  expect((await klines(interval, nowMs, 2, oldest.lists[0]!.t)).lists).toEqual([]);
});

it('reads no trades but those of the page, however old it is', async () => {
  const since = Array.from({ length: 300 }, (_, index) => at(10 + index, DAY_MS + index * 1_000, 4n));
  await store.storeTrades([at(1, 0, 2n), at(2, 1_000, 3n), ...since], 'test', {});
  const passedOver: number[] = [];
  const explained: Sql = {
    query: async (text, values = []) => {
      passedOver.push(await rowsPassedOver(database, text, values));
      return database.query(text, values);
    },
    write: () => expect.unreachable('candles are read'),
  };
  const token = store.tokens.get(mintNamed('MintA'))!;
  const request = { interval: '1s', limit: 2, before: BASE_MS + 2_000 } as const;
  const { lists } = await loadKlines(explained, token, request, BASE_MS + 2 * DAY_MS);
  expect(lists.map(({ c }) => c)).toEqual(['300', '450']);
  expect(passedOver).toEqual([0]);
});

it('answers no more than the limit for a token that has been silent for days', async () => {
  await store.storeTrades([at(1, 0, 2n)], 'test', {});
  for (const interval of ['1s', '1m', '1h'] as const) {
    const { lists } = await klines(interval, BASE_MS + 30 * DAY_MS, 1_000);
    expect(lists.length).toBeLessThanOrEqual(1_000);
    expect(lists.at(-1)).toMatchObject({ c: '300', v: '0' });
  }
});

it('answers nothing for a token that never traded', async () => {
  expect((await klines('1m', BASE_MS)).lists).toEqual([]);
});
