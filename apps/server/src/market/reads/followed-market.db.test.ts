import { CANDLE_INTERVALS } from '@hunter/domain/market/candle-interval';
import { calls } from '@hunter/contract/calls';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { mintNamed } from '@hunter/domain/address-for-test';
import { systemClock } from '../../platform/clock.ts';
import { createLog } from '../../platform/log.ts';
import type { Database } from '../../platform/postgres.ts';
import { aMarketDatabase, aToken, aTrade } from '../market-for-test.ts';
import type { MarketStore } from '../market-store.ts';
import { refreshWindows } from '../refresh-windows.ts';
import { loadKlines } from './klines.ts';
import { MarketReads } from './market-reads.ts';
import { loadTokenTrades } from './token-trades.ts';

const log = createLog('silent');
const market = aMarketDatabase();
let database: Database;
let store: MarketStore;
let reads: MarketReads;
let nowMs: number;
let seq: bigint;
let lastAtMs: number;

beforeAll(() => {
  database = market.database;
});
beforeEach(async () => {
  nowMs = 1_790_000_000_000;
  seq = 0n;
  lastAtMs = 0;
  store = await market.emptyStore();
  reads = new MarketReads({
    database,
    store,
    riskOf: () => 'ok',
    lagMs: () => 0,
    clock: { ...systemClock, nowMs: () => nowMs },
    log,
  });
  await reads.start();
  await store.storeTokens([aToken(), aToken({ mint: 'MintB', symbol: 'TOAD' })]);
  return () => reads.stop();
});

/** Trades up to two seconds before now, later ones at later times, as they come from a chain. */
async function trade(count: number): Promise<void> {
  await store.storeTrades(
    Array.from({ length: count }, (_, index) => {
      seq += 1n;
      return aTrade({
        seq,
        mint: index % 3 === 2 ? 'MintB' : 'MintA',
        atMs: (lastAtMs = Math.max(lastAtMs, nowMs - 2_000 + index * 100)),
        isBuy: index % 2 === 0,
        lamports: 1_000_000_000n + ((seq * 7_919n) % 50n) * 10_000_000n,
        wallet: `W${index}`,
        signature: `S${seq}`,
      });
    }),
    'test',
    {},
  );
}

async function expectSameAsStore(): Promise<void> {
  for (const mint of ['MintA', 'MintB'].map(mintNamed)) {
    const token = store.tokens.get(mint)!;
    for (const limit of [3, 100]) {
      const page = (await reads.trades.page(token, limit)).parse();
      expect(page).toEqual(await loadTokenTrades(database, token, { limit }));
      expect(calls.getTokenTransactionData.reply.parse(page)).toEqual(page);
    }
    for (const interval of CANDLE_INTERVALS) {
      for (const limit of [5, 500]) {
        const page = (await reads.candles.page(token, interval, limit)).parse();
        expect(page, `${mint} ${interval}`).toEqual(
          await loadKlines(database, token, { interval, before: undefined, limit }, nowMs),
        );
        expect(calls.kline.reply.parse(page)).toEqual(page);
      }
    }
  }
}

it('answers from memory what the store would answer, while trades come and time passes', async () => {
  await expectSameAsStore();
  for (const passedMs of [0, 700, 5_000, 61_000, 400_000, 3_700_000, 86_400_000 * 3, 1_000, 40_000]) {
    nowMs += passedMs;
    await trade(12);
    await expectSameAsStore();
    await trade(1);
  }
  nowMs += 30_000;
  await expectSameAsStore();
});

it('answers what the store would answer after trades that come late or out of order', async () => {
  seq = 1_000n;
  await trade(10);
  await expectSameAsStore();
  for (const [late, lateMs] of [3_000, 90_000, 7_200_000].entries()) {
    const number = 1_000n - BigInt(late);
    await store.storeTrades([aTrade({ seq: number, atMs: nowMs - lateMs, signature: `L${late}` })], 'test', {});
    await expectSameAsStore();
  }
});

it('shows what changed after a refresh, in the form the contract promises', async () => {
  nowMs = Date.now();
  await trade(12);
  reads.board.changed(await refreshWindows(database));
  await reads.board.refresh();
  const hot = reads.board.hotList({ period: '1h', sortBy: 'volume', limit: 10, chainId: undefined }).parse();
  expect(hot.lists.map((row) => row.tokenSymbol)).toEqual(['FROG', 'TOAD']);
  expect(calls.getTokenHotList.reply.parse(hot)).toEqual(hot);
  const list = reads.board.tokenList({ keyword: 'toad', pageNo: 1, pageSize: 5, chainId: undefined }).parse();
  expect(list.lists.map((row) => row.tokenSymbol)).toEqual(['TOAD']);
  expect(calls.getTokenList.reply.parse(list)).toEqual(list);
});
