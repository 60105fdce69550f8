import { discoverCalls } from '@hunter/contract/calls/discover';
import { calls } from '@hunter/contract/calls';
import { parseInput } from '@hunter/contract/input';
import { mintNamed } from '@hunter/domain/address-for-test';
import { beforeAll, expect, it } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { aLoadedBoard, aMarketDatabase, aToken, aTrade } from '../market-for-test.ts';
import type { MarketStore } from '../market-store.ts';
import { refreshWindows } from '../refresh-windows.ts';
import { loadBaseInfo } from './base-info.ts';
import { DiscoverLists } from './discover-lists.ts';
import { loadPrices } from './prices.ts';

// What is on record begins two hours ago, with a trade of a token that is older than that. Another one was launched since.

const NOW_MS = Date.now();
const MINUTE_MS = 60_000;
const market = aMarketDatabase();
let store: MarketStore;

beforeAll(async () => {
  store = await market.emptyStore();
  await store.storeTokens([
    aToken({ mint: 'Older', symbol: 'OLDER' }),
    aToken({ mint: 'Newer', symbol: 'NEWER', pool: 'PoolN', createdAtMs: NOW_MS - 90 * MINUTE_MS }),
  ]);
  const at = (mint: string, seq: bigint, minutes: number, sol: bigint) =>
    aTrade({ mint, seq, atMs: NOW_MS - minutes * MINUTE_MS, lamports: sol * 1_000_000_000n });
  await store.storeTrades(
    [at('Older', 1n, 120, 1n), at('Newer', 2n, 80, 1n), at('Newer', 3n, 30, 1n), at('Older', 4n, 5, 4n)],
    'test',
    {},
  );
  await refreshWindows(market.database, new Date(NOW_MS));
});

type Period = '5m' | '1h' | '4h' | '24h';
const clock = { ...systemClock, nowMs: () => NOW_MS };
const board = (lagMs: number | null = 0) => aLoadedBoard(market.database, store, { clock, lagMs });

async function hot(period: Period, lagMs?: number | null) {
  const query = { period, sortBy: 'volume', limit: 10, chainId: undefined } as const;
  const { lists } = calls.getTokenHotList.reply.parse((await board(lagMs)).hotList(query).parse());
  return lists.map(({ tokenSymbol, volume, periodChange }) => [tokenSymbol, volume, periodChange]);
}

async function discover(fields: Record<string, string>, lagMs?: number | null) {
  const lists = new DiscoverLists({ board: await board(lagMs), tokens: store.tokens, riskOf: () => 'ok', clock });
  const { request, reply } = discoverCalls.getTokenDiscover;
  const answer = reply.parse(lists.list(parseInput(request, fields), null).parse());
  return answer.lists.map(({ tokenSymbol, volume, buys, sells }) => [tokenSymbol, volume, buys, sells]);
}

it('knows the volume of a window that is on record from its beginning, and of a token that was launched since', async () => {
  expect(await hot('1h')).toEqual([
    ['OLDER', '600', '300'],
    ['NEWER', '150', '0'],
  ]);
  expect(await hot('4h')).toEqual([
    ['NEWER', '300', null],
    ['OLDER', null, null],
  ]);
});

it('sorts what is not known last in either direction, and no filter finds it', async () => {
  const [newer, older] = [
    ['NEWER', '300', 2, 0],
    ['OLDER', null, null, null],
  ];
  for (const sortBy of ['volume', 'trades']) {
    for (const order of ['asc', 'desc']) {
      expect(await discover({ period: '24h', sortBy, order })).toEqual([newer, older]);
    }
  }
  for (const filter of ['volumeMin', 'volumeMax', 'tradesMin', 'tradesMax']) {
    expect(await discover({ period: '24h', [filter]: filter.endsWith('Min') ? '0' : '1000' })).toEqual([newer]);
  }
});

it('knows no volume, buys or sells while the last minutes are not read, and no change over a window not read into', async () => {
  for (const lagMs of [null, 2 * 3_600_000]) {
    expect(await hot('1h', lagMs)).toEqual([
      ['OLDER', null, null],
      ['NEWER', null, null],
    ]);
    expect(await discover({ period: '1h', list: 'gainers' }, lagMs)).toEqual([]);
  }
  expect(await hot('1h', 10 * 60_000)).toEqual([
    ['OLDER', null, '300'],
    ['NEWER', null, '0'],
  ]);
});

it('gives the day of a token only where it is on record', async () => {
  const day = async (mint: string, lagMs: number | null = 0) => {
    const safety = { checkedAt: null, badges: [], transferTax: null };
    const info = await loadBaseInfo(market.database, mintNamed(mint), () => 'ok', safety, { nowMs: NOW_MS, lagMs });
    const { token, market: figures } = calls.getTokenBaseInfo.reply.parse(info);
    return [figures.tradeCount, figures.tradeVolume, figures.buyCount, figures.sellCount, token.volume, token.change1h];
  };
  expect(await day('Newer')).toEqual([2, '300', 2, 0, '300', '0']);
  expect(await day('Older')).toEqual([null, null, null, null, null, '300']);
  expect(await day('Newer', null)).toEqual([null, null, null, null, null, null]);
});

it('gives no list and no price a change of a day that is not read into', async () => {
  await market.database.write(`update token_stats set change_24h = 300`);
  const period = { period: '1h', sortBy: 'volume', limit: 10, chainId: undefined } as const;
  const listed = { pageNo: 1, pageSize: 10, chainId: undefined } as const;
  const changes = async (lagMs: number | null) => {
    const loaded = await board(lagMs);
    const lists = new DiscoverLists({ board: loaded, tokens: store.tokens, riskOf: () => 'ok', clock });
    const request = parseInput(discoverCalls.getTokenDiscover.request, { period: '1h' });
    const shown = [
      calls.getTokenHotList.reply.parse(loaded.hotList(period).parse()).lists,
      calls.getTokenList.reply.parse(loaded.tokenList({ ...listed, keyword: '' }).parse()).lists,
      calls.getTokenList.reply.parse(loaded.tokenList({ ...listed, keyword: 'older' }).parse()).lists,
      discoverCalls.getTokenDiscover.reply.parse(lists.list(request, null).parse()).lists,
      await loadPrices(market.database, [mintNamed('Older')], lagMs),
    ];
    return new Set(shown.flatMap((rows) => rows.map(({ change }) => change)));
  };
  expect(await changes(23 * 3_600_000)).toEqual(new Set(['300']));
  for (const lagMs of [null, 24 * 3_600_000]) expect(await changes(lagMs)).toEqual(new Set([null]));
});
