import { expect, it } from 'vitest';
import { aLoadedBoard, aMarketDatabase, aToken, aTrade } from './market-for-test.ts';
import { refreshWindows } from './refresh-windows.ts';

const SOL = 1_000_000_000n;
const NOW = new Date('2026-03-01T12:10:00Z');
const minutesAgo = (minutes: number): number => NOW.getTime() - minutes * 60_000;
const market = aMarketDatabase();

/** In dollars; the line itself is in millionths of them. */
async function trendAfter(trades: readonly { minutes: number; lamports: bigint }[]): Promise<number[]> {
  const store = await market.emptyStore();
  await store.storeTokens([aToken()]);
  await store.storeTrades(
    trades.map(({ minutes, lamports }, index) =>
      aTrade({ seq: BigInt(index + 1), atMs: minutesAgo(minutes), lamports }),
    ),
    'test',
    {},
  );
  await refreshWindows(market.database, NOW);
  const board = await aLoadedBoard(market.database, store);
  const query = { period: '24h', sortBy: 'volume', limit: 10, chainId: undefined } as const;
  return board
    .hotList(query)
    .parse()
    .lists[0]!.trend.map((point) => point / 1e6);
}

it('draws the line of a young token through its minutes, so that it rises where the token rose', async () => {
  const trades = [
    { minutes: 50, lamports: SOL },
    { minutes: 30, lamports: 5n * SOL },
    { minutes: 5, lamports: 2n * SOL },
  ];
  expect(await trendAfter(trades)).toEqual([30, 30, 150, 60]);
});

it('draws the line of an older token through its hours, from the price before the first of them', async () => {
  const trades = [
    { minutes: 600, lamports: SOL },
    { minutes: 599, lamports: 3n * SOL },
    { minutes: 300, lamports: 5n * SOL },
    { minutes: 5, lamports: 2n * SOL },
  ];
  expect(await trendAfter(trades)).toEqual([30, 90, 150, 60]);
});

it('thins out the minutes of a young token, and keeps the first price and the last', async () => {
  const trades = Array.from({ length: 200 }, (_, index) => ({
    minutes: 200 - index,
    lamports: BigInt(index + 1) * SOL,
  }));
  const trend = await trendAfter(trades);
  expect(trend.length).toBeLessThanOrEqual(25);
  expect(trend.length).toBeGreaterThan(20);
  expect([trend[0], trend.at(-1)]).toEqual([30, 6_000]);
  expect(trend).toEqual(trend.toSorted((one, other) => one - other));
});

it('draws a day and no more, from the price that the change of a day counts from', async () => {
  const trades = [
    { minutes: 4_000, lamports: 9n * SOL },
    { minutes: 2_000, lamports: 4n * SOL },
    { minutes: 600, lamports: 3n * SOL },
    { minutes: 5, lamports: 2n * SOL },
  ];
  expect(await trendAfter(trades)).toEqual([120, 90, 60]);
});

it.each([
  ['is known up to now', 0, ['100', '100', '100']],
  ['ends before the window of an hour', 120, [null, '100', '100']],
  ['ends before the window of four hours', 300, [null, null, '100']],
])('tells no change over a window where the market %s', async (_, lagMinutes, changes) => {
  const store = await market.emptyStore();
  await store.storeTokens([aToken()]);
  const trades = [
    aTrade({ seq: 1n, atMs: minutesAgo(1_500), lamports: SOL }),
    aTrade({ seq: 2n, atMs: minutesAgo(lagMinutes), lamports: 2n * SOL }),
  ];
  await store.storeTrades(trades, 'test', {});
  await refreshWindows(market.database, NOW, new Date(minutesAgo(lagMinutes)));
  const board = await aLoadedBoard(market.database, store);
  const changeOver = (period: '1h' | '4h' | '24h') =>
    board.hotList({ period, sortBy: 'volume', limit: 10, chainId: undefined }).parse().lists[0]!.periodChange;
  expect([changeOver('1h'), changeOver('4h'), changeOver('24h')]).toEqual(changes);
});
