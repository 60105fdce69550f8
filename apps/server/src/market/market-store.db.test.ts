import fc from 'fast-check';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { mintNamed } from '@hunter/domain/address-for-test';
import type { Database } from '../platform/postgres.ts';
import { passedOver } from '../platform/read-transactions.ts';
import { aLoadedBoard, aMarketDatabase, aToken, aTrade, START_MS } from './market-for-test.ts';
import { CursorMoved, type MarketPool, type MarketTrade } from './market-source.ts';
import { MarketStore } from './market-store.ts';
import { displayNames, nameFlagsOf } from './name-flags.ts';
import { loadKlines } from './reads/klines.ts';
import { refreshWindows } from './refresh-windows.ts';
import { TokenDirectory } from './token-directory.ts';

const market = aMarketDatabase();
let database: Database;
let store: MarketStore;

beforeAll(() => {
  database = market.database;
});
beforeEach(async () => {
  store = await market.emptyStore();
});

async function snapshot(): Promise<unknown> {
  const [candles, hours, holders, stats, traders] = await Promise.all([
    database.query(`select * from candle_1m order by token_id, start`),
    database.query(`select * from candle_hour order by token_id, start`),
    database.query(
      `select h.token_id, r.address, amount, cost_lamports, known_units, realized_lamports, round_trips, wins, lost_day
       from holder h join trader r on r.id = h.trader_id order by 1, 2`,
    ),
    database.query(
      `select token_id, price_sol, price_usd, last_seq, trades, holders, market_cap_usd from token_stats order by 1`,
    ),
    database.query(
      `select r.address, realized_lamports, s.round_trips, s.wins from trader_stats s join trader r on r.id = s.trader_id order by 1`,
    ),
  ]);
  return { candles, hours, holders, stats, traders };
}

it('stores the same trades once, however often they arrive', async () => {
  await store.storeTokens([aToken()]);
  const trades = [aTrade(), aTrade({ seq: 2n, signature: 'S2', isBuy: false, lamports: 1_200_000_000n })];
  await store.storeTrades(trades, 'test', { at: 1 });
  const once = await snapshot();
  await store.storeTrades(trades, 'test', { at: 2 });
  expect(await snapshot()).toEqual(once);
  expect(await store.loadCursor('test')).toEqual({ at: 2 });
});

it('passes over a trade at a price that nobody could store, and stores those of all other tokens', async () => {
  await store.storeTokens([aToken(), aToken({ mint: 'MintB', pool: 'PoolB', decimals: 18, supply: 10n ** 18n })]);
  const seen: unknown[] = [];
  const count = (message: unknown): number => seen.push(message);
  passedOver.subscribe(count);
  const wild = { mint: 'MintB', baseUnits: 1n, lamports: 100_000_000_000n } as const;
  const ordinary = { mint: 'MintB', baseUnits: 10n ** 17n } as const;
  const nowMs = START_MS + 60_000;
  await store.storeTrades([aTrade(), aTrade({ seq: 2n, ...ordinary }), aTrade({ seq: 3n, ...wild })], 'test', {
    at: 1,
  });
  // A window that compares prices must not be brought beyond what it can hold either.
  await store.storeTrades([aTrade({ seq: 4n, ...wild, lamports: 100_000n, atMs: nowMs })], 'test', { at: 2 });
  await store.storeTrades([aTrade({ seq: 5n, atMs: nowMs })], 'test', { at: 3 });
  passedOver.unsubscribe(count);
  await refreshWindows(database, new Date(nowMs));
  expect(await database.query(`select seq from trade order by seq`)).toEqual([{ seq: 1n }, { seq: 2n }, { seq: 5n }]);
  expect(seen).toEqual([{ reader: 'market' }, { reader: 'market' }]);
  expect(await store.loadCursor('test')).toEqual({ at: 3 });
});

it('knows the pool of a token and the launch curve it has left, also after a restart, and no other', async () => {
  await store.storeTokens([aToken({ pool: 'Curve', curvePool: 'Curve' }), aToken({ mint: 'MintB', pool: 'PoolB' })]);
  await store.storeTokens([aToken({ pool: 'Pool', curvePool: 'Curve' })]);
  // A source that does not say where the curve was leaves it as it is known.
  await store.storeTokens([aToken({ pool: 'Pool' })]);
  const restarted = new TokenDirectory(database);
  await restarted.load();
  for (const tokens of [store.tokens, restarted]) {
    const pools = ['Curve', 'Pool', 'PoolB', 'Stranger'].filter((address) =>
      tokens.isPoolOf(mintNamed('MintA'), address),
    );
    expect(pools).toEqual(['Curve', 'Pool']);
    expect(tokens.isPoolOf(mintNamed('Unknown'), 'Pool')).toBe(false);
  }
});

it('stores nothing where its reader believes it to be elsewhere, and has its followers read again', async () => {
  await store.storeTokens([aToken()]);
  const resets: unknown[] = [];
  store.onReset(() => resets.push('reset'));
  await store.storeTrades([aTrade()], 'test', { at: 1, slot: '7' }, null);
  await store.storeTrades([aTrade({ seq: 2n })], 'test', { slot: '8', at: 2 }, { slot: '7', at: 1 });
  // A crash of the database took the second commit back.
  await database.write(`delete from trade where seq = 2`);
  await database.write(`update market_cursor set cursor = '{"at": 1, "slot": "7"}', newest_seq = 1`);
  const third = () => store.storeTrades([aTrade({ seq: 3n })], 'test', { at: 3 }, { slot: '8', at: 2 });
  await expect(third()).rejects.toBeInstanceOf(CursorMoved);
  expect(resets).toEqual([]);
  expect(await store.loadCursor('test')).toEqual({ at: 1, slot: '7' });
  expect(resets).toEqual(['reset']);
  await store.storeTrades([aTrade({ seq: 2n }), aTrade({ seq: 3n })], 'test', { at: 3 }, { at: 1, slot: '7' });
  expect(await database.query(`select seq from trade order by seq`)).toEqual([{ seq: 1n }, { seq: 2n }, { seq: 3n }]);
  await database.write(`delete from market_cursor`);
  await expect(store.storeTrades([], 'test', { at: 4 }, { at: 3 })).rejects.toBeInstanceOf(CursorMoved);
});

it('leaves the price where it was when somebody trades dust, which the pool rounds to any price', async () => {
  await store.storeTokens([aToken(), aToken({ mint: 'MintB', pool: 'PoolB' })]);
  // 0.01 lamports for a base unit.
  const real = { lamports: 1_000_000n, baseUnits: 100_000_000n };
  // Nearly two lamports’ worth, for which the pool pays one.
  const dust = { isBuy: false, lamports: 1n, baseUnits: 199n, wallet: 'Forger' };
  await store.storeTrades(
    [aTrade({ seq: 1n, ...real }), aTrade({ seq: 2n, ...dust }), aTrade({ mint: 'MintB', seq: 3n, ...dust })],
    'test',
    { at: 1 },
  );
  const later = { ...dust, atMs: START_MS + 60_000, solUsdMicro: 300_000_000n };
  await store.storeTrades([aTrade({ seq: 4n, ...later }), aTrade({ seq: 5n, ...later })], 'test', { at: 2 });
  const ofFirst = `where token_id = (select id from token where mint = $1)`;
  const mint = mintNamed('MintA');
  expect(
    await database.query(`select seq, price_sol, lamports, base_units from trade ${ofFirst} order by seq`, [mint]),
  ).toEqual([
    { seq: 1n, price_sol: 10_000_000_000_000n, lamports: 1_000_000n, base_units: 100_000_000n },
    { seq: 2n, price_sol: 10_000_000_000_000n, lamports: 1n, base_units: 199n },
    { seq: 4n, price_sol: 10_000_000_000_000n, lamports: 1n, base_units: 199n },
    { seq: 5n, price_sol: 10_000_000_000_000n, lamports: 1n, base_units: 199n },
  ]);
  // In dollars it is worth what SOL is by then.
  expect(await database.query(`select l, h from candle_1m ${ofFirst} order by start`, [mint])).toEqual([
    { l: 1_500_000_000_000_000n, h: 1_500_000_000_000_000n },
    { l: 3_000_000_000_000_000n, h: 3_000_000_000_000_000n },
  ]);
  expect(await database.query(`select price_sol, trades, last_seq from token_stats ${ofFirst}`, [mint])).toEqual([
    { price_sol: 10_000_000_000_000n, trades: 4n, last_seq: 5n },
  ]);
  // Where nothing was traded before, it is all that is known.
  expect(await database.query(`select price_sol from trade where seq = 3`)).toEqual([
    { price_sol: 5_025_125_628_141n },
  ]);
});

it('keeps neither trades nor cursor when any part of storing them fails', async () => {
  await store.storeTokens([aToken()]);
  await expect(store.storeTrades([aTrade({ lamports: 10n ** 30n })], 'test', { at: 1 })).rejects.toThrow();
  expect(await store.loadCursor('test')).toBeNull();
  expect(await database.query(`select 1 from trade`)).toEqual([]);
});

it('leaves the same candles for any split into batches and any order inside them, equal to a slow recomputation', async () => {
  const tradeArbitrary = fc.record({
    offsetSeconds: fc.integer({ min: 0, max: 9_000 }),
    // Of less the price is that of the trade before.
    lamports: fc.bigInt({ min: 100_000n, max: 10n ** 12n }),
    baseUnits: fc.bigInt({ min: 1n, max: 10n ** 12n }),
    isBuy: fc.boolean(),
    wallet: fc.constantFrom('W1', 'W2', 'W3'),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(tradeArbitrary, { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 7 }),
      fc.array(fc.nat(), { minLength: 30, maxLength: 30 }),
      async (drafts, batchSize, shuffle) => {
        await database.write(
          `truncate trade, candle_1m, candle_1h, holder, trader_stats, token_stats, token, trader restart identity cascade`,
        );
        await database.write(`update candle_roll set rolled_to = '-infinity'`);
        const fresh = new MarketStore(database, nameFlagsOf, displayNames);
        await fresh.storeTokens([aToken()]);
        const trades = drafts
          .toSorted((a, b) => a.offsetSeconds - b.offsetSeconds)
          .map((draft, index) =>
            aTrade({
              ...draft,
              atMs: START_MS + draft.offsetSeconds * 1000,
              seq: BigInt(index + 1),
              signature: `S${index}`,
            }),
          );
        const order = trades
          .map((trade, index) => ({ trade, key: shuffle[index] ?? 0 }))
          .toSorted((a, b) => a.key - b.key);
        for (let start = 0; start < order.length; start += batchSize) {
          await fresh.storeTrades(
            order.slice(start, start + batchSize).map(({ trade }) => trade),
            'test',
            {},
          );
        }
        const stored = await database.query<{
          start: Date;
          o: bigint;
          h: bigint;
          l: bigint;
          c: bigint;
          v: bigint;
          buys: number;
        }>(`select start, o, h, l, c, v, buys from candle_1m order by start`);
        expect(stored).toEqual(slowCandles(trades, 60_000));
        // Hours are rolled up when they are over; what comes late is merged into them.
        expect(await database.query(`select start, o, h, l, c, v, buys from candle_hour order by start`)).toEqual(
          slowCandles(trades, 3_600_000),
        );
      },
    ),
    { numRuns: 25 },
  );
});

/** Independent of the store: straight from the raw trades. */
function slowCandles(trades: readonly MarketTrade[], stepMs: number): unknown[] {
  const buckets = Map.groupBy(trades, (trade) => Math.floor(trade.atMs / stepMs) * stepMs);
  return [...buckets]
    .toSorted(([a], [b]) => a - b)
    .map(([startMs, list]) => {
      const ordered = list.toSorted((a, b) => Number(a.seq - b.seq));
      const prices = ordered.map((trade) => {
        const scaled = trade.lamports * 10n ** 15n * 2n;
        const sol = (scaled / trade.baseUnits + 1n) / 2n;
        return (sol * trade.solUsdMicro) / 1_000_000n;
      });
      return {
        start: new Date(startMs),
        o: prices[0],
        h: prices.reduce((a, b) => (a > b ? a : b)),
        l: prices.reduce((a, b) => (a < b ? a : b)),
        c: prices.at(-1),
        v: ordered.reduce((sum, trade) => sum + trade.baseUnits, 0n),
        buys: ordered.filter((trade) => trade.isBuy).length,
      };
    });
}

it('counts holders by what the chain said last, and profit at average cost', async () => {
  await store.storeTokens([aToken()]);
  await store.storeTrades(
    [
      aTrade({ seq: 1n, lamports: 1_000n, baseUnits: 100n, walletUnitsAfter: 100n }),
      aTrade({ seq: 2n, signature: 'S2', lamports: 3_000n, baseUnits: 100n, walletUnitsAfter: 200n }),
      aTrade({ seq: 3n, signature: 'S3', isBuy: false, lamports: 5_000n, baseUnits: 200n, walletUnitsAfter: 0n }),
      aTrade({ seq: 4n, signature: 'S4', wallet: 'W2', lamports: 100n, baseUnits: 10n, walletUnitsAfter: 10n }),
    ],
    'test',
    {},
  );
  expect(await database.query(`select holders, trades from token_stats`)).toEqual([{ holders: 1, trades: 4n }]);
  expect(await database.query(`select realized_lamports, round_trips, wins from trader_stats`)).toEqual([
    { realized_lamports: 1_000n, round_trips: 1, wins: 1 },
  ]);
});

it('counts a trade as lost once its sales have lost, until later ones make it good', async () => {
  const DAY_MS = 86_400_000;
  await store.storeTokens([aToken()]);
  const sale = (seq: bigint, lamports: bigint, baseUnits: bigint, walletUnitsAfter: bigint) =>
    aTrade({
      seq,
      atMs: START_MS + Number(seq) * DAY_MS,
      signature: `S${seq}`,
      isBuy: false,
      lamports,
      baseUnits,
      walletUnitsAfter,
    });
  const days = () => database.query(`select round_trips as trips, wins from trader_day order by day`);
  const sums = () => database.query(`select round_trips as trips, wins from trader_stats`);
  await store.storeTrades([aTrade({ seq: 1n, lamports: 1_000n, baseUnits: 100n, walletUnitsAfter: 100n })], 'test', {});
  // All but one unit of dust, at half of what it cost.
  await store.storeTrades([sale(2n, 495n, 99n, 1n)], 'test', {});
  const none = { trips: 0, wins: 0 };
  expect(await days()).toEqual([none, { trips: 1, wins: 0 }]);
  expect(await sums()).toEqual([{ trips: 1, wins: 0 }]);
  await store.storeTrades([sale(3n, 2_000n, 1n, 0n)], 'test', {});
  expect(await days()).toEqual([none, none, { trips: 1, wins: 1 }]);
  expect(await sums()).toEqual([{ trips: 1, wins: 1 }]);
  expect(await database.query(`select lost_day from holder`)).toEqual([{ lost_day: 0 }]);
});

it('counts the tax on a purchase to the cost of what arrived, not as a loss', async () => {
  await store.storeTokens([aToken()]);
  const buy = { lamports: 1_000n, baseUnits: 100n, arrivedUnits: 90n };
  const holder = () =>
    database.query(`select amount, known_units as known, cost_lamports as cost, realized_lamports as made from holder`);
  await store.storeTrades([aTrade({ seq: 1n, ...buy, walletUnitsAfter: 90n })], 'test', {});
  await store.storeTrades([aTrade({ seq: 2n, ...buy, walletUnitsAfter: 180n })], 'test', {});
  expect(await holder()).toEqual([{ amount: 180n, known: 180n, cost: 2_000n, made: 0n }]);
  const sale = { isBuy: false, lamports: 1_500n, baseUnits: 81n, arrivedUnits: 81n };
  await store.storeTrades([aTrade({ seq: 3n, ...sale, walletUnitsAfter: 90n })], 'test', {});
  expect(await holder()).toEqual([{ amount: 90n, known: 90n, cost: 1_000n, made: 500n }]);
});

it('keeps the newest price and the count of trades over several batches', async () => {
  await store.storeTokens([aToken()]);
  const price = (seq: bigint, sol: bigint) =>
    aTrade({ seq, signature: `S${seq}`, lamports: sol * 1_000_000_000n, baseUnits: 1_000_000n });
  await store.storeTrades([price(2n, 2n)], 'test', {});
  await store.storeTrades([price(3n, 3n)], 'test', {});
  await store.storeTrades([price(1n, 1n)], 'test', {});
  const [row] = await database.query(`select trades, price_usd, last_seq from token_stats`);
  expect(row).toEqual({ trades: 3n, price_usd: 450n * 10n ** 18n, last_seq: 3n });
});

it('takes the reserves of a pool from a change without a trade, unless a later trade says more', async () => {
  await store.storeTokens([aToken()]);
  await store.storeTrades([aTrade({ seq: 10n })], 'test', {});
  const change = {
    mint: mintNamed('MintA'),
    pool: 'PoolA',
    lamports: 20_000_000_000n,
    units: 400n,
    solUsdMicro: 150_000_000n,
  };
  const stats = () => database.query(`select pool_lamports as lamports, liquidity_usd as usd from token_stats`);
  const before = await stats();
  const storePool = (pool: Partial<MarketPool>, trades: MarketTrade[] = []) =>
    store.storeTrades(trades, 'test', {}, undefined, [{ ...change, seq: 11n, ...pool }]);
  await storePool({ seq: 9n });
  expect(await stats()).toEqual(before);
  await storePool({ pool: 'AnotherPool' });
  expect(await stats()).toEqual(before);
  await storePool({});
  expect(await stats()).toEqual([{ lamports: 20_000_000_000n, usd: 6_000_000_000n }]);
  await storePool({ seq: 13n, lamports: 30_000_000_000n }, [aTrade({ seq: 12n })]);
  expect(await stats()).toEqual([{ lamports: 30_000_000_000n, usd: 9_000_000_000n }]);
  await storePool({ seq: 14n, lamports: 40_000_000_000n }, [aTrade({ seq: 15n })]);
  expect(await stats()).toEqual(before);
});

it('takes them from the pool that a token is in, whatever of the one it left is told with it, and says so', async () => {
  await store.storeTokens([aToken({ curvePool: 'CurveA' })]);
  await store.storeTrades([aTrade()], 'test', {});
  const told: (readonly number[])[] = [];
  store.tokens.onSaved((ids) => told.push(ids));
  const change = { mint: mintNamed('MintA'), seq: 2n, lamports: 7n, units: 400n, solUsdMicro: null };
  const left = { ...change, pool: 'CurveA', lamports: 0n };
  await store.storeTrades([], 'test', {}, undefined, [{ ...change, pool: 'PoolA' }, left]);
  expect(await database.query(`select pool_lamports as lamports from token_stats`)).toEqual([{ lamports: 7n }]);
  expect(told).toEqual([[1]]);
});

it('moves on past a change of a pool only with what the pool held then', async () => {
  await store.storeTokens([aToken()]);
  const tooMuch = 10n ** 41n;
  const broken = { mint: mintNamed('MintA'), pool: 'PoolA', seq: 2n, lamports: tooMuch, units: 1n, solUsdMicro: null };
  await store.storeTrades([aTrade({ seq: 1n })], 'test', { at: 1 });
  const storing = store.storeTrades([], 'test', { at: 2 }, { at: 1 }, [broken]);
  await expect(storing).rejects.toThrow();
  expect(await store.loadCursor('test')).toEqual({ at: 1 });
});

it('reads candles without gaps and invents nothing before the first trade', async () => {
  await store.storeTokens([aToken()]);
  const minute = 60_000;
  const base = Math.floor(START_MS / minute) * minute;
  await store.storeTrades(
    [
      aTrade({ seq: 1n, atMs: base }),
      aTrade({ seq: 2n, signature: 'S2', atMs: base + 4 * minute, lamports: 2_000_000_000n }),
    ],
    'test',
    {},
  );
  const token = store.tokens.get(mintNamed('MintA'))!;
  const { lists } = await loadKlines(
    database,
    token,
    { interval: '1m', before: undefined, limit: 10 },
    base + 5 * minute,
  );
  expect(lists.map((candle) => candle.t - base)).toEqual([0, 1, 2, 3, 4, 5].map((i) => i * minute));
  expect(lists.map((candle) => candle.c)).toEqual(['30', '30', '30', '30', '60', '60']);
  expect(lists.map((candle) => candle.closed)).toEqual([true, true, true, true, true, false]);
  const page = await loadKlines(
    database,
    token,
    { interval: '1m', before: base + 3 * minute, limit: 2 },
    base + 5 * minute,
  );
  expect(page.lists.map((candle) => candle.t - base)).toEqual([minute, 2 * minute]);
});

it('finds tokens by exact symbol first, then by likeness, and treats wildcards as text', async () => {
  await store.storeTokens([
    aToken({ mint: 'M1', symbol: 'CAT', name: 'Cat in a hat' }),
    aToken({ mint: 'M2', symbol: 'CATS', name: 'Many cats' }),
    aToken({ mint: 'M3', symbol: 'MOODENG', name: 'Moo Deng' }),
    aToken({ mint: 'M4', symbol: '狗狗', name: '金狗' }),
  ]);
  const board = await aLoadedBoard(database, store);
  const find = (keyword: string) => {
    const { lists } = board.tokenList({ keyword, pageNo: 1, pageSize: 15, chainId: undefined }).parse();
    return lists.map((row) => row.tokenContractAddress);
  };
  expect(find('cat')[0]).toBe('M1');
  expect(find('moodneg')[0]).toBe('M3');
  expect(find('金狗')[0]).toBe('M4');
  expect(find('%')).toEqual([]);
  expect(find("'; drop table token; --")).toEqual([]);
});

it('refreshes volumes and changes of the moving windows', async () => {
  await store.storeTokens([aToken()]);
  const now = Date.now();
  await store.storeTrades(
    [
      aTrade({ seq: 1n, atMs: now - 2 * 3_600_000, lamports: 1_000_000_000n, baseUnits: 10_000_000n }),
      aTrade({ seq: 2n, signature: 'S2', atMs: now - 60_000, lamports: 2_000_000_000n, baseUnits: 10_000_000n }),
    ],
    'test',
    {},
  );
  await refreshWindows(database);
  const [row] = await database.query(`select volume_5m, volume_24h, change_1h, buys_24h from token_stats`);
  expect(row).toEqual({ volume_5m: 300_000_000n, volume_24h: 450_000_000n, change_1h: 100, buys_24h: 2 });
});

/** So many trades of few wallets in three tokens that the store learns who holds what. */
function aCrowd(batch: number): MarketTrade[] {
  return Array.from({ length: 1_200 }, (_, index) => {
    const number = batch * 1_200 + index;
    return aTrade({
      mint: `Mint${number % 3}`,
      seq: BigInt(number + 1),
      signature: `S${number}`,
      wallet: `Wallet${(number * 7919) % (400 * (batch + 1))}`,
      isBuy: number % 4 !== 3,
      walletUnitsAfter: null,
    });
  });
}

it('leaves the same holders where it knows which are new as where it asks for all', async () => {
  const tokens = [0, 1, 2].map((index) => aToken({ mint: `Mint${index}`, symbol: `T${index}` }));
  await store.storeTokens(tokens);
  for (const batch of [0, 1, 2]) await store.storeTrades(aCrowd(batch), 'test', { batch });
  expect(store.storedPairs.hasLearnt(1)).toBe(true);
  const knowing = await snapshot();
  await market.emptyStore();
  for (const batch of [0, 1, 2]) {
    const forgetful = new MarketStore(database, nameFlagsOf, displayNames);
    await forgetful.storeTokens(tokens);
    await forgetful.storeTrades(aCrowd(batch), 'test', { batch });
  }
  expect(await snapshot()).toEqual(knowing);
});

it('asks for holders that others stored while it waited, and after a refusal for all', async () => {
  await store.storeTokens([0, 1, 2].map((index) => aToken({ mint: `Mint${index}`, symbol: `T${index}` })));
  await store.storeTrades(aCrowd(0), 'test', {});
  const newcomers = (seq: bigint, signature: string) => [
    aTrade({ mint: 'Mint0', wallet: 'Newcomer', seq, signature, baseUnits: 5n, walletUnitsAfter: null }),
  ];
  // Two writers at once: whoever is second has decided what to ask for before the first has stored it.
  await Promise.all([
    store.storeTrades(newcomers(10_001n, 'N1'), 'one', {}),
    store.storeTrades(newcomers(10_002n, 'N2'), 'two', {}),
  ]);
  const held = () =>
    database.query(
      `select known_units as bought from holder join trader on id = trader_id where address in ('Newcomer', 'Stranger')`,
    );
  expect(await held()).toEqual([{ bought: 10n }]);
  // A writer that says nothing.
  await database.write(`insert into trader (address) values ('Stranger')`);
  await database.write(
    `insert into holder (token_id, trader_id, amount, seq) select 1, id, 7, 1 from trader where address = 'Stranger'`,
  );
  const strangers = () =>
    store.storeTrades(
      newcomers(10_003n, 'N3').map((trade) => ({ ...trade, wallet: 'Stranger' })),
      'one',
      {},
    );
  await expect(strangers()).rejects.toThrow('holder_pkey');
  await strangers();
  expect(await held()).toEqual([{ bought: 10n }, { bought: 5n }]);
});
