import { beforeAll, beforeEach, expect, it } from 'vitest';
import { mintNamed } from '@hunter/domain/address-for-test';
import { systemClock } from '../../platform/clock.ts';
import { LiveBus } from '../../platform/live-bus.ts';
import { createLog } from '../../platform/log.ts';
import type { Database } from '../../platform/postgres.ts';
import { rowsPassedOver } from '../../platform/postgres-for-test.ts';
import { aMarketDatabase, aToken, aTrade, START_MS } from '../market-for-test.ts';
import type { MarketTrade } from '../market-source.ts';
import type { MarketStore } from '../market-store.ts';
import { NoticeStore } from './notice-store.ts';
import { NoticeHistory } from './notice-history.ts';
import { NoticeWatch } from './notice-watch.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SOL = 1_000_000_000n;
const log = createLog('silent');
const market = aMarketDatabase();
let database: Database;
let store: MarketStore;
let watch: NoticeWatch;
let notices: NoticeStore;
let published: unknown[];
let nowMs: number;
let seq: bigint;

beforeAll(() => {
  database = market.database;
});
beforeEach(async () => {
  nowMs = START_MS;
  seq = 0n;
  published = [];
  const clock = { ...systemClock, nowMs: () => nowMs };
  const bus = new LiveBus();
  bus.subscribe((channel, _key, data) => published.push([channel, data]));
  store = await market.emptyStore();
  await store.storeTokens([aToken()]);
  notices = new NoticeStore(database, bus, clock);
  watch = new NoticeWatch({ database, store, notices, clock, log });
  watch.start();
  return () => watch.stop();
});

/** Stores trades at the present moment unless told otherwise. */
async function trade(...drafts: Partial<MarketTrade>[]): Promise<void> {
  await store.storeTrades(
    drafts.map((draft) => {
      seq += 1n;
      return aTrade({ seq, atMs: nowMs, signature: `S${seq}`, ...draft });
    }),
    'test',
    {},
  );
}

/** Five round trips, four of them won. */
async function proveWallet(wallet: string, atMs: number): Promise<void> {
  for (const proceeds of [3n, 3n, 3n, 3n, 1n]) {
    await trade(
      { wallet, atMs, lamports: 2n * SOL, baseUnits: 100n, walletUnitsAfter: 100n },
      { wallet, atMs, isBuy: false, lamports: proceeds * SOL, baseUnits: 100n, walletUnitsAfter: 0n },
    );
  }
}

const triggers = async () =>
  (await database.query<{ trigger: string }>(`select trigger from notice order by id`)).map((row) => row.trigger);

it('raises a notice when three wallets of proven profit buy within ten minutes, and once only', async () => {
  for (const wallet of ['P1', 'P2', 'P3']) await proveWallet(wallet, START_MS - 3 * HOUR_MS);
  await trade({ wallet: 'P1', atMs: nowMs - 9 * MINUTE_MS }, { wallet: 'P2' });
  await watch.checkTouched();
  expect(await triggers()).toEqual([]);
  await trade({ wallet: 'P3' });
  await watch.checkTouched();
  expect(await triggers()).toEqual(['proven-wallets']);
  expect(published).toMatchObject([['notices', { trigger: 'proven-wallets', detail: '3', multipleNow: '1' }]]);
  await trade({ wallet: 'P3' });
  await watch.checkTouched();
  nowMs += 31 * MINUTE_MS;
  await trade({ wallet: 'P1' }, { wallet: 'P2' }, { wallet: 'P3' });
  await watch.checkTouched();
  expect(await triggers()).toEqual(['proven-wallets', 'proven-wallets']);
});

it('sees the purchases of proven wallets behind any number of others, and of dust', async () => {
  for (const wallet of ['P1', 'P2', 'P3']) await proveWallet(wallet, START_MS - 3 * HOUR_MS);
  await trade({ wallet: 'P1' }, { wallet: 'P2' }, { wallet: 'P3' });
  await trade(...Array.from({ length: 300 }, (_, index) => ({ wallet: `O${index}` })));
  await trade(...Array.from({ length: 300 }, () => ({ wallet: 'P1', lamports: 100_000n })));
  await watch.checkTouched();
  expect(await triggers()).toContain('proven-wallets');
});

it('raises nothing for wallets that only lost', async () => {
  for (const wallet of ['L1', 'L2', 'L3']) {
    for (let trip = 0; trip < 6; trip += 1) {
      await trade(
        { wallet, atMs: nowMs - 2 * HOUR_MS, lamports: SOL, baseUnits: 100n },
        { wallet, atMs: nowMs - 2 * HOUR_MS, isBuy: false, lamports: SOL / 2n, baseUnits: 100n },
      );
    }
    await trade({ wallet });
  }
  await watch.checkTouched();
  expect(await triggers()).toEqual([]);
});

it('raises a notice when five minutes trade five times their hourly mean with enough buyers', async () => {
  await trade({ atMs: nowMs - 30 * MINUTE_MS, lamports: 12n * SOL });
  await trade(...Array.from({ length: 8 }, (_, index) => ({ wallet: `B${index}`, lamports: SOL })));
  await watch.checkTouched();
  expect(await triggers()).toEqual(['volume-surge']);
});

it('raises a notice when the price breaks out with growing holders', async () => {
  await trade({ atMs: nowMs - 2 * HOUR_MS, walletUnitsAfter: 1n });
  await database.write(`insert into holder_history (token_id, at, holders) values (1, $1, 1)`, [
    new Date(nowMs - 90 * MINUTE_MS),
  ]);
  await trade({ wallet: 'W2', lamports: 2n * SOL, walletUnitsAfter: 1n });
  await watch.checkTouched();
  expect(await triggers()).toEqual(['breakout']);
});

it('looks at the trades of the last hour only, however many a token has', async () => {
  await trade(...Array.from({ length: 300 }, (_, index) => ({ atMs: nowMs - 3 * HOUR_MS + index })));
  const passedOver: number[] = [];
  const explained = {
    query: async (text: string, values: unknown[]) => {
      if (/from trade /.test(text)) passedOver.push(await rowsPassedOver(database, text, values));
      return database.query(text, values);
    },
  } as Database;
  const clock = { ...systemClock, nowMs: () => nowMs };
  const explaining = new NoticeWatch({ database: explained, store, notices, clock, log });
  explaining.start();
  await trade({});
  await explaining.checkTouched();
  await explaining.stop();
  expect(passedOver).toEqual([0, 0]);
});

it('checks a token again where the check failed', async () => {
  await trade({ atMs: nowMs - 30 * MINUTE_MS, lamports: 12n * SOL });
  const failing = { query: () => Promise.reject(new Error('the database is away')) } as unknown as Database;
  let used = failing;
  const switching = { query: (text: string, values: unknown[]) => used.query(text, values) } as Database;
  const clock = { ...systemClock, nowMs: () => nowMs };
  const unlucky = new NoticeWatch({ database: switching, store, notices, clock, log });
  unlucky.start();
  await trade(...Array.from({ length: 8 }, (_, index) => ({ wallet: `B${index}`, lamports: SOL })));
  await expect(unlucky.checkTouched()).rejects.toThrow('away');
  used = database;
  await unlucky.checkTouched();
  await unlucky.stop();
  expect(await triggers()).toEqual(['volume-surge']);
});

it('raises what a creator bought, once in half an hour', async () => {
  await trade({});
  expect(await notices.raise(mintNamed('MintA'), 'creator-buy', '12.5')).toBe(true);
  expect(await notices.raise(mintNamed('MintA'), 'creator-buy', '12.5')).toBe(false);
  expect(await triggers()).toEqual(['creator-buy']);
});

it('grades after an hour and after a day, and counts the misses in the hit rate', async () => {
  await store.storeTokens([aToken({ mint: 'MintB', symbol: 'DUD' })]);
  await trade({}, { mint: mintNamed('MintB') });
  await notices.raise(mintNamed('MintA'), 'creator-buy', '1');
  await notices.raise(mintNamed('MintB'), 'creator-buy', '1');
  await watch.gradeDue();
  expect((await notices.list({ limit: 10 })).hitRates.at(-1)).toMatchObject({ graded: 0, hitRate: null });
  // A doubles within the hour, then reaches eleven times within the day; B loses nearly all.
  await trade(
    { atMs: nowMs + 20 * MINUTE_MS, lamports: 2n * SOL },
    { mint: mintNamed('MintB'), atMs: nowMs + 20 * MINUTE_MS, lamports: SOL / 10n },
  );
  nowMs += HOUR_MS;
  await watch.gradeDue();
  const afterHour = await notices.list({ limit: 10 });
  expect(afterHour.lists.map(({ grade1h, grade24h }) => [grade1h, grade24h])).toEqual([
    ['dead', null],
    ['bronze', null],
  ]);
  expect(afterHour.hitRates.at(-1)).toMatchObject({
    trigger: 'creator-buy',
    graded: 2,
    bronze: 1,
    dead: 1,
    hitRate: '50',
  });
  await trade({ atMs: nowMs + HOUR_MS, lamports: 11n * SOL });
  nowMs += 23 * HOUR_MS;
  await watch.gradeDue();
  const afterDay = await notices.list({ limit: 10 });
  expect(afterDay.lists.map(({ grade24h, multiplePeak }) => [grade24h, multiplePeak])).toEqual([
    ['dead', '1'],
    ['gold', '11'],
  ]);
});

it('rounds a hit rate to the nearest hundredth of a percent', async () => {
  await database.write(
    `insert into notice (token_id, trigger, at, price_usd, market_cap_usd, peak_usd, grade_1h)
     select 1, 'breakout', $1, 1, 1, 1, grade from unnest(array['gold', 'bronze', 'dead']) grade`,
    [new Date(nowMs)],
  );
  const { hitRates } = await notices.list({ limit: 10 });
  expect(hitRates.find(({ trigger }) => trigger === 'breakout')).toMatchObject({ graded: 3, hitRate: '66.67' });
});

it('pages notices by their time, not by when they were written down', async () => {
  await trade({});
  await notices.raise(mintNamed('MintA'), 'creator-buy', 'now');
  await database.write(
    `insert into notice (token_id, trigger, at, price_usd, market_cap_usd, peak_usd, detail)
     select 1, 'breakout', $1::timestamptz - make_interval(mins => n), 1, 1, 1, n::text from generate_series(1, 3) n`,
    [new Date(nowMs)],
  );
  const first = await notices.list({ limit: 2 });
  const second = await notices.list({ limit: 2, cursor: first.nextCursor! });
  expect([...first.lists, ...second.lists].map(({ detail }) => detail)).toEqual(['now', '1', '2', '3']);
  await expect(notices.list({ limit: 2, cursor: 'nonsense' })).rejects.toMatchObject({ context: { field: 'cursor' } });
});

it('gives a first start the notices of the past, once, graded and with their true times', async () => {
  const surgeMs = nowMs - 30 * HOUR_MS;
  await trade({ atMs: surgeMs - 30 * MINUTE_MS, lamports: 12n * SOL });
  await trade(
    ...Array.from({ length: 8 }, (_, index) => ({ wallet: `B${index}`, lamports: SOL, atMs: surgeMs + index * 1_000 })),
  );
  await trade({ atMs: surgeMs + 10 * MINUTE_MS, lamports: 2n * SOL });
  const history = new NoticeHistory({
    database,
    tokens: store.tokens,
    clock: { ...systemClock, nowMs: () => nowMs },
    log,
    isCaughtUp: () => true,
    onStored: () => watch.gradeAll(),
  });
  expect(await history.replay(nowMs)).toBe(1);
  expect(await history.replay(nowMs)).toBe(0);
  const { lists, hitRates } = await notices.list({ limit: 10 });
  expect(lists).toMatchObject([
    { trigger: 'volume-surge', time: surgeMs + 7_000, grade1h: 'bronze', grade24h: 'bronze', multiplePeak: '2' },
  ]);
  expect(hitRates.find(({ trigger }) => trigger === 'volume-surge')).toMatchObject({ graded: 1, hitRate: '100' });
});

it('adds up the hit rates of all notices once a minute, however many ask', async () => {
  const graded = async () => {
    const { hitRates } = await notices.list({ limit: 1 });
    return hitRates.find(({ trigger }) => trigger === 'breakout')!.graded;
  };
  await trade({});
  await notices.raise(mintNamed('MintA'), 'breakout', '1');
  expect(await graded()).toBe(0);
  await database.write(`update notice set grade_1h = 'gold'`);
  expect(await graded()).toBe(0);
  nowMs += MINUTE_MS;
  expect(await graded()).toBe(1);
});
