import { beforeAll, expect, it } from 'vitest';
import { mintNamed } from '@hunter/domain/address-for-test';
import type { Database } from '../../platform/postgres.ts';
import { aLoadedBoard, aMarketDatabase, aToken, aTrade } from '../market-for-test.ts';
import type { MarketStore } from '../market-store.ts';
import { refreshWindows } from '../refresh-windows.ts';
import { loadBaseInfo } from './base-info.ts';
import { loadPrices } from './prices.ts';
import { labelAs, loadHolders } from './token-holders.ts';
import { loadTokenTrades } from './token-trades.ts';

const NOW_MS = Date.now();
const SOL = 1_000_000_000n;
const market = aMarketDatabase();
let database: Database;
let store: MarketStore;

beforeAll(async () => {
  database = market.database;
  store = await market.emptyStore();
  await store.storeTokens([
    aToken({ creator: 'Creator' }),
    aToken({ mint: 'MintB', symbol: 'TOAD', pool: 'PoolB', createdAtMs: NOW_MS }),
    aToken({ mint: 'MintC', symbol: 'SILENT', pool: 'PoolC' }),
  ]);
  const hour = 3_600_000;
  await store.storeTrades(
    [
      aTrade({ seq: 1n, atMs: NOW_MS - 26 * hour, wallet: 'Creator', walletUnitsAfter: 300_000_000n }),
      aTrade({ seq: 2n, atMs: NOW_MS - 2 * hour, lamports: 2n * SOL, wallet: 'Me', walletUnitsAfter: 5_000_000n }),
      aTrade({ seq: 3n, atMs: NOW_MS - 60_000, lamports: 4n * SOL, wallet: 'Me', isBuy: false, walletUnitsAfter: 1n }),
      aTrade({ seq: 4n, atMs: NOW_MS - 30_000, mint: 'MintB', lamports: SOL, walletUnitsAfter: 1n }),
      aTrade({ seq: 5n, atMs: NOW_MS - 20_000, mint: 'MintB', lamports: SOL, wallet: 'W2', walletUnitsAfter: 1n }),
      aTrade({ seq: 6n, atMs: NOW_MS - 10_000, mint: 'MintB', lamports: SOL, wallet: 'W3', walletUnitsAfter: 1n }),
    ],
    'test',
    {},
  );
  await refreshWindows(database);
});

const hot = async (sortBy: 'score' | 'volume' | 'change' | 'holders' | 'newest') =>
  (await aLoadedBoard(database, store)).hotList({ period: '24h', sortBy, limit: 10, chainId: undefined }).parse().lists;

it('lists hot tokens by volume, change, holders and age, without those that never traded', async () => {
  expect((await hot('volume')).map((row) => row.tokenSymbol)).toEqual(['FROG', 'TOAD']);
  expect((await hot('change')).map((row) => row.tokenSymbol)).toEqual(['FROG', 'TOAD']);
  expect((await hot('holders')).map((row) => row.tokenSymbol)).toEqual(['TOAD', 'FROG']);
  expect((await hot('newest')).map((row) => row.tokenSymbol)).toEqual(['TOAD', 'FROG']);
});

it('gives every field of a token, and no change where there was no price a day ago', async () => {
  const [frog, toad] = await hot('volume');
  expect(frog).toMatchObject({
    tokenName: 'Frog',
    price: '120',
    change: '300',
    change1h: '100',
    marketCap: '120000000000',
    liquidity: '15000',
    holders: 2,
    supply: '1000000000',
    volume: '900',
  });
  expect(toad).toMatchObject({ change: null, holders: 3 });
});

const baseInfo = (mint: string, now: { nowMs: number; lagMs: number | null } = { nowMs: NOW_MS, lagMs: 0 }) =>
  loadBaseInfo(database, mintNamed(mint), () => 'ok', { checkedAt: NOW_MS, badges: [], transferTax: null }, now);

it('counts trades, volume, buys and sells of the last day', async () => {
  const info = await baseInfo('MintA');
  expect(info?.market).toEqual({ holders: 2, tradeCount: 2, tradeVolume: '900', buyCount: 1, sellCount: 1 });
  const bought = await baseInfo('MintB');
  expect(bought?.market).toEqual({ holders: 3, tradeCount: 3, tradeVolume: '450', buyCount: 3, sellCount: 0 });
});

it('pages trades from the newest back', async () => {
  const token = store.tokens.get(mintNamed('MintA'))!;
  const first = await loadTokenTrades(database, token, { limit: 2 });
  expect(first.lists.map(({ side, solAmount, wallet }) => [side, solAmount, wallet])).toEqual([
    ['sell', '4', 'Me'],
    ['buy', '2', 'Me'],
  ]);
  const second = await loadTokenTrades(database, token, { limit: 2, cursor: first.nextCursor! });
  expect(second.lists.map(({ wallet }) => wallet)).toEqual(['Creator']);
  for (const cursor of ['nonsense', '', '1'.repeat(19)]) {
    await expect(loadTokenTrades(database, token, { limit: 2, cursor })).rejects.toMatchObject({
      errorName: 'INVALID_INPUT',
      context: { field: 'cursor' },
    });
  }
});

it('labels the pool, the creator, the reader and top traders among the largest holders', async () => {
  const token = store.tokens.get(mintNamed('MintA'))!;
  const labels = ({ lists }: Awaited<ReturnType<typeof loadHolders>>) =>
    lists.map(({ address, label }) => [address, label]);
  const shown = await loadHolders(database, token, { limit: 10, sortBy: 'amount' });
  expect(labels(shown)).toEqual([
    ['PoolA', 'pool'],
    ['Creator', 'creator'],
    ['Me', undefined],
  ]);
  expect(labels(labelAs('you', new Set(['Me']), shown))[2]).toEqual(['Me', 'you']);
  expect(shown.lists[0]!.percent).toBe('0.09');
  expect(shown.total).toBe(2);
  for (const [lamports, trips, label] of [
    [5n * SOL - 1n, 5, undefined],
    [5n * SOL, 4, undefined],
    [5n * SOL, 5, 'top-trader'],
  ]) {
    await database.write(
      `insert into trader_stats (trader_id, realized_lamports, round_trips)
       select id, $1, $2 from trader where address = 'Me'
       on conflict (trader_id) do update set realized_lamports = $1, round_trips = $2`,
      [lamports, trips],
    );
    const judged = await loadHolders(database, token, { limit: 10, sortBy: 'amount' });
    expect(labels(judged)[2]).toEqual(['Me', label]);
  }
});

it('shows nobody but the pool, if anything, where nobody holds a token', async () => {
  const token = store.tokens.get(mintNamed('MintC'))!;
  expect(await loadHolders(database, token, { limit: 10, sortBy: 'amount' })).toEqual({ lists: [], total: 0 });
  expect(await loadHolders(database, token, { limit: 10, sortBy: 'profit' })).toEqual({ lists: [], total: 0 });
});

it('ranks traders of a token by what they made on it, realized and unrealized, without the pool', async () => {
  const { lists } = await loadHolders(database, store.tokens.get(mintNamed('MintA'))!, { limit: 10, sortBy: 'profit' });
  expect(lists.map(({ address, realizedProfit }) => [address, realizedProfit])).toEqual([
    ['Creator', '0'],
    ['Me', '2'],
  ]);
  // Bought five tokens for 1 SOL, at a price of 0.8 SOL now.
  expect(lists[0]!.unrealizedProfit).toBe('3');
});

it('gives prices of several tokens at once and leaves out those without any', async () => {
  const rows = await loadPrices(database, [mintNamed('MintA'), mintNamed('MintC'), mintNamed('MintX')], 0);
  expect(rows).toMatchObject([{ tokenContractAddress: 'MintA', price: '120', priceSol: '0.8', change: '300' }]);
});
