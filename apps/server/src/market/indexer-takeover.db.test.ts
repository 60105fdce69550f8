import type { RpcClient } from '@hunter/solana/rpc-client';
import type { RpcSubscriptions } from '@hunter/solana/rpc-subscriptions';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { mintNamed } from '@hunter/domain/address-for-test';
import { LocalBus } from '../platform/bus/local-bus.ts';
import { systemClock as clock } from '../platform/clock.ts';
import { LeaseKeeper } from '../platform/lease-keeper.ts';
import { LiveBus } from '../platform/live-bus.ts';
import { createLog } from '../platform/log.ts';
import { OwnsByLease } from '../platform/ownership.ts';
import type { Database } from '../platform/postgres.ts';
import { useTestDatabase } from '../platform/postgres-for-test.ts';
import type { IndexedVenue } from '../venue/venue.ts';
import { aLoadedBoard, aToken, aTrade, emptyMarket } from './market-for-test.ts';
import { createMarket, type Market } from './market.ts';
import { MARKET_SUBJECT, type MarketNews } from './market-feed.ts';
import { loadTokenTrades } from './reads/token-trades.ts';
import { refreshWindows } from './refresh-windows.ts';

// One process indexes and another stands by. The first is paused in the middle of a batch, the second takes over, and the first
// wakes up: every swap is stored once, and what the second answers from memory is what the store says.

const log = createLog('silent');
let database: Database;
let databaseUrl: string;
useTestDatabase((opened, url) => {
  database = opened;
  databaseUrl = url;
});

let chain: { signature: string; slot: bigint }[];
let wake: Set<() => void>;
let bus: LocalBus;
let stops: (() => Promise<void>)[];
beforeEach(() => {
  chain = [];
  wake = new Set();
  bus = new LocalBus();
  stops = [];
});
afterEach(async () => {
  for (const stop of stops.reverse()) await stop();
});

/** Each in a slot of its own. */
function swap(count: number): void {
  for (let index = 0; index < count; index += 1) {
    chain.push({ signature: `swap-${chain.length + 1}`, slot: BigInt(chain.length + 1) });
  }
  for (const tell of wake) tell();
}

function aSwap() {
  const units = (owner: string, accountIndex: number, amount: bigint) => ({
    accountIndex,
    mint: 'MintA',
    owner,
    amount,
    decimals: 6,
  });
  return {
    err: null,
    fee: 5_000n,
    blockTime: Math.floor(clock.nowMs() / 1000),
    accountKeys: ['Wallet', 'PoolA'],
    preBalances: [10_000_000_000n, 50_000_000_000n],
    postBalances: [8_999_995_000n, 51_000_000_000n],
    preTokenBalances: [units('Wallet', 0, 0n), units('PoolA', 1, 900_000_000n)],
    postTokenBalances: [units('Wallet', 0, 40_000_000n), units('PoolA', 1, 860_000_000n)],
  };
}

/** A process with the role `indexer`; `beforeRead` is where it can be held up, and what it says can be lost. */
async function aProcess(beforeRead: () => Promise<void> = async () => {}, isHeard = () => true) {
  // Renewed far too seldom to matter here: whoever is to lose it is let go by hand, as one who is paused.
  const keeper = new LeaseKeeper({ databaseUrl, durationMs: 3_600_000, clock, log, onLost: () => {} });
  const ownership = new OwnsByLease({ database, keeper, clock, log });
  ownership.start();
  const market = aMarket(ownership.databaseOf('indexer'), beforeRead, isHeard);
  await market.follow();
  await ownership.job('indexer', () => market.index());
  stops.push(async () => {
    await ownership.stop();
    await market.stop();
    await keeper.stop();
  });
  return { market, ownership };
}

function aMarket(indexing: Database, beforeRead: () => Promise<void> = async () => {}, isHeard = () => true): Market {
  const rpc = {
    getSignaturesForAddress: async (_: unknown, { until }: { until?: string }) =>
      chain.slice(chain.findIndex(({ signature }) => signature === until) + 1).toReversed(),
    getTransactions: async (signatures: readonly string[]) => {
      await beforeRead();
      return signatures.map(aSwap);
    },
    getProgramAccounts: () => Promise.reject(new Error('not asked for here')),
    getAccountInfo: () => Promise.reject(new Error('not asked for here')),
  } as unknown as RpcClient;
  const subscriptions = {
    logs: (_: unknown, __: unknown, listener: () => void) => {
      wake.add(listener);
      return () => wake.delete(listener);
    },
    onReconnect: () => () => {},
  } as unknown as RpcSubscriptions;
  const venue = {
    referenceAddress: async () => 'reference',
    liveliestTokens: async () => [aToken()],
    tokens: async () => [aToken()],
    solUsdMicro: async () => 150_000_000n,
    solUsdHistory: async () => [],
  } as unknown as IndexedVenue;
  const processes = new Proxy(bus, {
    get: (to, name: keyof LocalBus) => (name === 'publish' && !isHeard() ? () => {} : to[name].bind(to)),
  });
  return createMarket({
    database,
    indexing,
    rpc,
    subscriptions,
    venue,
    bus: new LiveBus(bus),
    processes,
    clock,
    log,
  });
}

const stored = () =>
  database
    .query<{ signature: string }>(`select signature from trade order by seq`)
    .then((rows) => rows.map(({ signature }) => signature));

async function expectSameAsStore({ store, reads }: Market): Promise<void> {
  const token = store.tokens.get(mintNamed('MintA'))!;
  const page = async () => (await reads.trades.page(token, 100)).parse();
  // What is stored is told a moment later.
  await expect.poll(page).toEqual(await loadTokenTrades(database, token, { limit: 100 }));
}

it('begins nothing where the start fails, and tells everything once after it has succeeded', async () => {
  await database.write(`alter table market_cursor rename column cursor to cursor_away`);
  const told: number[] = [];
  bus.subscribe(MARKET_SUBJECT, (message) => told.push(...(message as MarketNews).saved));
  const { ownership } = await aProcess();
  const givenBack = `select 1 from lease where name = 'indexer' and until < clock_timestamp()`;
  await expect.poll(() => database.query(givenBack)).toHaveLength(1);
  expect(ownership.owns('indexer')).toBe(false);
  await database.write(`alter table market_cursor rename column cursor_away to cursor`);
  await expect.poll(() => told.length, { timeout: 20_000 }).toBeGreaterThan(0);
  expect(told).toHaveLength(1);
});

it('lets a standby take over from an indexer that was paused, with nothing missing, doubled or written late', async () => {
  let held: Promise<void> | null = null;
  let isHeld = false;
  let isHeard = true;
  const first = await aProcess(
    async () => {
      if (held === null) return;
      isHeld = true;
      await held;
    },
    () => isHeard,
  );
  await expect.poll(() => first.ownership.owns('indexer')).toBe(true);
  const second = await aProcess();
  swap(3);
  await expect.poll(stored).toEqual(['swap-1', 'swap-2', 'swap-3']);
  await expect.poll(() => second.market.store.tokens.get(mintNamed('MintA'))).toBeDefined();
  await expectSameAsStore(second.market);

  // Nothing of the first is heard any more; then it stands still, having read more of the chain and stored none of it.
  isHeard = false;
  swap(2);
  await expect.poll(stored).toHaveLength(5);
  const pause = Promise.withResolvers<void>();
  stops.push(async () => pause.resolve());
  held = pause.promise;
  swap(2);
  await expect.poll(() => isHeld).toBe(true);
  await database.write(`update lease set until = clock_timestamp() - interval '1 second' where name = 'indexer'`);

  await expect.poll(() => second.ownership.owns('indexer')).toBe(true);
  await expect.poll(stored).toHaveLength(7);
  await expectSameAsStore(second.market);

  // It wakes up, and what it had read it cannot store.
  held = null;
  pause.resolve();
  swap(2);
  await expect.poll(stored).toEqual(chain.map(({ signature }) => signature));
  await expectSameAsStore(second.market);
  const late = first.market.store.storeTrades([], 'other', {}, undefined, [
    { mint: mintNamed('MintA'), pool: 'PoolA', seq: 1n << 40n, lamports: 1n, units: 1n, solUsdMicro: null },
  ]);
  await expect(late).rejects.toThrow('was taken over by another process');
  const lateTokens = first.market.store.storeTokens([aToken({ pool: 'FormerPool' })]);
  await expect(lateTokens).rejects.toThrow('was taken over by another process');
  const [candles] = await database.query<{ buys: number }>(`select sum(buys)::int as buys from candle_1m`);
  expect(candles).toEqual({ buys: chain.length });
});

it('starts with no change and no volume of a window that was written before the last stop', async () => {
  const stoppedMs = clock.nowMs() - 3 * 3_600_000;
  const store = await emptyMarket(database);
  await store.storeTokens([aToken()]);
  await store.storeTrades(
    [
      aTrade({ seq: 1n, atMs: stoppedMs - 2 * 3_600_000 }),
      aTrade({ seq: 2n, atMs: stoppedMs, lamports: 2_000_000_000n }),
    ],
    'chain',
    { signature: 'S2', slot: '2', place: 0, atMs: stoppedMs },
  );
  await refreshWindows(database, new Date(stoppedMs));
  const hourOf = (reads: Pick<Market['reads']['board'], 'hotList'>) => {
    const query = { period: '1h', sortBy: 'volume', limit: 1, chainId: undefined } as const;
    const [row] = reads.hotList(query).parse().lists;
    return [row?.change1h, row?.periodChange, row?.volume];
  };
  const past = { ...clock, nowMs: () => stoppedMs };
  expect(hourOf(await aLoadedBoard(database, store, { clock: past }))).toEqual(['100', '100', '300']);

  const market = aMarket(database);
  stops.push(() => market.stop());
  await market.index();
  const shown: unknown[] = [];
  const isWrittenAnew = async () => {
    shown.push(...hourOf(market.reads.board));
    const [row] = await database.query<{ change: number | null }>(`select change_1h as change from token_stats`);
    return row?.change !== 100;
  };
  await expect.poll(isWrittenAnew, { timeout: 20_000 }).toBe(true);
  expect([...shown, ...hourOf(market.reads.board)]).not.toContain('100');
});

it('goes on to follow, and to know what it follows, where taking over fails', async () => {
  const longAgoMs = clock.nowMs() - 3 * 3_600_000;
  const store = await emptyMarket(database);
  await store.storeTokens([aToken()]);
  const cursor = { signature: 'S1', slot: '1', place: 0, atMs: longAgoMs };
  await store.storeTrades([aTrade({ seq: 1n, atMs: longAgoMs })], 'chain', cursor);
  const market = aMarket(database);
  stops.push(() => market.stop());
  await market.follow();
  const news = { feed: 'other', sequence: 1, previous: 0, lagMs: 0, saved: [], changed: [], read: [], trades: [] };
  bus.publish(MARKET_SUBJECT, news satisfies MarketNews);
  await database.write(`alter table token_safety rename to token_safety_away`);
  await expect(market.index()).rejects.toThrow('token_safety');
  await database.write(`alter table token_safety_away rename to token_safety`);
  expect(market.reads.lagMs()).toBeLessThan(60_000);
});
