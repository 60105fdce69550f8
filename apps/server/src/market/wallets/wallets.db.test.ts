import { PROVEN_REALIZED_LAMPORTS_MIN } from '@hunter/domain/market/notice';
import { readFileSync } from 'node:fs';
import { SeededRandom } from '@hunter/domain/seeded-random';
import { beforeAll, describe, expect, it } from 'vitest';
import { aMarketDatabase, aToken, aTrade } from '../market-for-test.ts';
import type { MarketStore } from '../market-store.ts';
import type { MarketTrade } from '../market-source.ts';
import { TraderBoard } from './trader-board.ts';
import { systemClock } from '../../platform/clock.ts';
import type { Sql } from '../../platform/postgres.ts';
import { firstDayOf, loadFigures, printFigures } from './trader-figures.ts';
import { loadWalletHoldings } from './wallet-holdings.ts';
import { loadWalletProfile } from './wallet-profile.ts';
import { loadWalletTrades } from './wallet-trades.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 10, 16, 9);
const WALLETS = ['W0', 'W1', 'W2', 'W3', 'W4', 'W5'];
const MINTS = ['MintA', 'MintB', 'MintC'];

const market = aMarketDatabase();
const clock = { ...systemClock, nowMs: () => NOW_MS };
let store: MarketStore;
let trades: MarketTrade[];

/** 60 days of trades at changing prices; wallets hold, sell in parts and sell out. */
function randomTrades(): MarketTrade[] {
  const random = new SeededRandom(21);
  const held = new Map<string, bigint>();
  return Array.from({ length: 1_500 }, (_, index) => {
    const wallet = random.pick(WALLETS);
    const mint = random.pick(MINTS);
    const key = `${wallet} ${mint}`;
    const has = held.get(key) ?? 0n;
    const isBuy = has === 0n || random.whole(2) === 0;
    const units = isBuy
      ? BigInt(1_000 + random.whole(9_000))
      : random.whole(3) === 0
        ? has
        : 1n + (has * BigInt(random.whole(90))) / 100n;
    const after = isBuy ? has + units : has - units;
    held.set(key, after);
    return aTrade({
      mint,
      wallet,
      seq: BigInt(index + 1),
      atMs: NOW_MS - 60 * DAY_MS + Math.floor((index * 60 * DAY_MS) / 1_500),
      isBuy,
      lamports: units * BigInt(50 + random.whole(100)) * 20_000n,
      baseUnits: units,
      walletUnitsAfter: after,
    });
  });
}

type Sum = { realized: bigint; closed: number; won: number; volume: bigint; trades: number; tokens: Set<string> };

/** From the first trade on, one wallet after the other: what the figures must be, without anything that is kept. */
function recomputed(wallet: string, fromMs: number): Sum {
  const sum: Sum = { realized: 0n, closed: 0, won: 0, volume: 0n, trades: 0, tokens: new Set() };
  for (const mint of MINTS) {
    let [cost, units, trip] = [0n, 0n, 0n];
    let lostAtMs: number | null = null;
    for (const trade of trades.filter((one) => one.wallet === wallet && one.mint === mint)) {
      const counts = trade.atMs >= fromMs;
      if (counts) {
        sum.trades += 1;
        sum.volume += trade.lamports;
        sum.tokens.add(mint);
      }
      if (trade.isBuy) {
        cost += trade.lamports;
        units += trade.baseUnits;
        continue;
      }
      const part = trade.baseUnits === units ? cost : (cost * trade.baseUnits) / units;
      cost -= part;
      units -= trade.baseUnits;
      trip += trade.lamports - part;
      if (counts) sum.realized += trade.lamports - part;
      lostAtMs = units > 0n && trip < 0n ? (lostAtMs ?? trade.atMs) : null;
      if (units > 0n) continue;
      if (counts) sum.closed += 1;
      if (counts && trip > 0n) sum.won += 1;
      trip = 0n;
    }
    if (lostAtMs !== null && lostAtMs >= fromMs) sum.closed += 1;
  }
  return sum;
}

type PlanNode = { 'Relation Name'?: string; 'Actual Rows': number; 'Actual Loops': number; Plans?: PlanNode[] };

function tradesRead(node: PlanNode): number {
  const own = node['Relation Name'] === 'trade' ? node['Actual Rows'] * node['Actual Loops'] : 0;
  return (node.Plans ?? []).reduce((sum, plan) => sum + tradesRead(plan), own);
}

const startOf = (period: '7d' | '30d' | 'all') => Date.parse(firstDayOf(period, NOW_MS));

beforeAll(async () => {
  store = await market.emptyStore();
  trades = randomTrades();
  await store.storeTokens(
    MINTS.map((mint, index) =>
      aToken({ mint, symbol: `S${index}`, pool: `Pool${mint}`, creator: index < 2 ? 'W0' : null, createdAtMs: index }),
    ),
  );
  for (let start = 0; start < trades.length; start += 400) {
    await store.storeTrades(trades.slice(start, start + 400), 'test', { start });
  }
});

describe('the figures of a wallet', () => {
  it.each(['7d', '30d', 'all'] as const)('are those of its trades, over %s', async (period) => {
    const figures = await loadFigures(market.database, WALLETS, firstDayOf(period, NOW_MS));
    for (const wallet of WALLETS) {
      const expected = recomputed(wallet, startOf(period));
      expect(expected.closed).toBeGreaterThan(0);
      expect(figures.get(wallet)).toMatchObject({ ...expected, tokens: expected.tokens.size });
    }
  });

  it('stay the same where the days are filled from trades that were stored before', async () => {
    const stored = async () => [
      await market.database.query(`select * from trader_day order by trader_id, day`),
      await market.database.query(`select * from trader_stats order by trader_id`),
      await market.database.query(`select token_id, trader_id, lost_day from holder order by token_id, trader_id`),
    ];
    const kept = await stored();
    expect(kept[2]!.some(({ lost_day }) => lost_day !== 0)).toBe(true);
    await market.database.write(`truncate trader_day`);
    await market.database.write(
      `update trader_stats s set round_trips = (select sum(h.round_trips) from holder h where h.trader_id = s.trader_id)`,
    );
    await market.database.write(`update holder set lost_day = 0`);
    for (const name of ['0028-trader-days', '0075-lost-trips-of-traders']) {
      const migration = readFileSync(new URL(`../../../migrations/${name}.sql`, import.meta.url), 'utf8');
      await market.database.write(migration.slice(migration.indexOf('do $$')));
    }
    expect(await stored()).toEqual(kept);
  });

  it('come with first and newest trade, what it launched, and whether it is smart money', async () => {
    const profile = await loadWalletProfile(market.database, store.tokens, 'W0', NOW_MS);
    const own = trades.filter(({ wallet }) => wallet === 'W0');
    const all = recomputed('W0', 0);
    expect(profile).toMatchObject({
      firstSeen: own[0]!.atMs,
      lastTrade: own.at(-1)!.atMs,
      periods: { all: { closedTrades: all.closed, wonTrades: all.won, tokens: all.tokens.size } },
      labels: {
        pool: null,
        smartMoney: all.won * 2 > all.closed && all.realized > 0n,
        launched: { total: 2, lists: [{ tokenContractAddress: 'MintB' }, { tokenContractAddress: 'MintA' }] },
      },
    });
  });

  it('are the same in its profile, which reads each of its trades once', async () => {
    const asked: [text: string, values: readonly unknown[]][] = [];
    const recording: Sql = {
      query: (text, values = []) => {
        asked.push([text, values]);
        return market.database.query(text, values);
      },
      write: () => expect.unreachable('a profile is read'),
    };
    const { periods } = await loadWalletProfile(recording, store.tokens, 'W0', NOW_MS);
    for (const period of ['7d', '30d', 'all'] as const) {
      const { realized, closed, won, volume, trades: count, tokens } = recomputed('W0', startOf(period));
      const expected = printFigures({ realized, closed, won, volume, trades: count, tokens: tokens.size });
      expect(periods[period]).toEqual(expected);
    }
    let read = 0;
    for (const [text, values] of asked) {
      const [row] = await market.database.write<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `explain (analyze, format json) ${text}`,
        values,
      );
      read += tradesRead(row!['QUERY PLAN'][0].Plan);
    }
    const own = trades.filter(({ wallet }) => wallet === 'W0').length;
    // And the newest one for its time.
    expect(read).toBe(own + 1);
  });

  it('are empty for a wallet that nobody has seen, and a pool is called one', async () => {
    const nobody = await loadWalletProfile(market.database, store.tokens, 'Nobody', NOW_MS);
    expect(nobody).toMatchObject({ firstSeen: null, lastTrade: null, labels: { smartMoney: false } });
    expect(nobody.periods.all).toMatchObject({ realizedProfit: '0', winRate: null, closedTrades: 0 });
    const pool = await loadWalletProfile(market.database, store.tokens, 'PoolMintC', NOW_MS);
    expect(pool.labels.pool).toMatchObject({ tokenContractAddress: 'MintC' });
  });
});

describe('the trades of a wallet', () => {
  it('are all there, newest first, page after page', async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await loadWalletTrades(market.database, store.tokens, { address: 'W3', cursor, limit: 37 });
      seen.push(...page.lists.map(({ txHash }) => txHash));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    const own = trades.filter(({ wallet }) => wallet === 'W3').map(({ signature }) => signature);
    expect(seen).toEqual(own.toReversed());
  });

  it('refuse a cursor that is none', async () => {
    const asking = loadWalletTrades(market.database, store.tokens, { address: 'W3', cursor: '5; drop', limit: 10 });
    await expect(asking).rejects.toMatchObject({ errorName: 'INVALID_INPUT' });
  });
});

describe('the holdings of a wallet', () => {
  it('are what it kept, at the last price, with the cost of what it bought', async () => {
    const { lists, total, totalValueSol, unsoldAtLoss } = await loadWalletHoldings(
      market.database,
      'W1',
      100,
      150_000_000n,
    );
    const expected = MINTS.flatMap((mint) => {
      const own = trades.filter((trade) => trade.wallet === 'W1' && trade.mint === mint);
      let [cost, units, trip] = [0n, 0n, 0n];
      for (const { isBuy, lamports, baseUnits } of own) {
        const part = isBuy ? -lamports : baseUnits === units ? cost : (cost * baseUnits) / units;
        cost -= part;
        units += isBuy ? baseUnits : -baseUnits;
        trip = units === 0n ? 0n : isBuy ? trip : trip + lamports - part;
      }
      const last = trades.findLast((trade) => trade.mint === mint)!;
      const value = (units * last.lamports) / last.baseUnits;
      return units === 0n ? [] : [{ mint, units, cost, value, isLoss: trip >= 0n && trip + value < cost }];
    }).sort((a, b) => Number(b.value - a.value));
    expect(lists.map((row) => [row.tokenContractAddress, row.amount, row.cost])).toEqual(
      expected.map(({ mint, units, cost }) => [mint, String(Number(units) / 1e6), String(Number(cost) / 1e9)]),
    );
    lists.forEach((row, index) => {
      expect(Number(row.valueSol) * 1e9).toBeCloseTo(Number(expected[index]!.value), -1);
      expect(Number(row.unrealizedProfit)).toBeCloseTo(Number(row.valueSol) - Number(row.cost), 8);
    });
    expect(total).toBe(expected.length);
    expect(unsoldAtLoss).toBe(expected.filter(({ isLoss }) => isLoss).length);
    expect(Number(totalValueSol)).toBeCloseTo(
      lists.reduce((sum, row) => sum + Number(row.valueSol), 0),
      8,
    );
  });

  it('say nothing about the cost of tokens that were received, and do not value what never traded', async () => {
    await store.storeTokens([aToken({ mint: 'MintD', symbol: 'GIFT', pool: null })]);
    await market.database.write(
      `insert into holder (token_id, trader_id, amount, seq)
       select t.id, r.id, 5000000, 1 from token t, trader r where t.mint = 'MintD' and r.address = 'W1'`,
    );
    const { lists } = await loadWalletHoldings(market.database, 'W1', 100, null);
    expect(lists.at(-1)).toMatchObject({
      tokenSymbol: 'GIFT',
      amount: '5',
      price: null,
      valueSol: null,
      valueUsd: null,
      cost: null,
      unrealizedProfit: null,
    });
  });
});

describe('the list of traders', () => {
  it('is in the order of what was asked for, with the figures of each wallet', async () => {
    const board = new TraderBoard(market.database, clock);
    const expected = WALLETS.map((wallet) => ({ wallet, ...recomputed(wallet, startOf('30d')) }));
    const order = async (by: 'profit' | 'winRate' | 'volume') =>
      (await board.list('30d', by, 100)).rows.map(({ address }) => address);
    const sorted = (value: (row: (typeof expected)[number]) => number, rows = expected) =>
      rows.toSorted((a, b) => value(b) - value(a)).map(({ wallet }) => wallet);
    expect(await order('volume')).toEqual(sorted(({ volume }) => Number(volume)));
    expect(await order('profit')).toEqual(
      sorted(
        ({ realized }) => Number(realized),
        expected.filter(({ realized }) => realized > 0n),
      ),
    );
    const rates = (await board.list('30d', 'winRate', 100)).rows.map(({ won, closed }) => won / closed);
    expect(rates).toEqual(rates.toSorted((a, b) => b - a));
    expect((await order('winRate')).toSorted()).toEqual(
      expected
        .filter(({ closed, realized }) => closed >= 5 && realized >= PROVEN_REALIZED_LAMPORTS_MIN)
        .map(({ wallet }) => wallet)
        .toSorted(),
    );
  });

  it('is computed once a minute, however many ask', async () => {
    let asked = 0;
    const counting = {
      query: (text: string, values?: readonly unknown[]) => {
        asked += 1;
        return market.database.query(text, values);
      },
    };
    let nowMs = NOW_MS;
    const board = new TraderBoard(counting as never, { ...systemClock, nowMs: () => nowMs });
    await Promise.all([board.list('7d', 'profit', 10), board.list('7d', 'volume', 10)]);
    expect(asked).toBe(1);
    nowMs += 60_000;
    await board.list('7d', 'profit', 10);
    expect(asked).toBe(2);
  });
});
