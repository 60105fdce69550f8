/**
 * Market reads over HTTP on a large store, each against a single primary-key select through the same HTTP stack in the same
 * run. Bars: each at least 50 % of it, and the slowest within 3 times the fastest. No two requests in a row are the same:
 * each figure goes through hundreds of lists, keywords, tokens and intervals. What is read of a token for the first time
 * comes from the database and is shown beside, without a bar.
 */
import { CANDLE_INTERVALS } from '@hunter/domain/market/candle-interval';
import { SeededRandom } from '@hunter/domain/seeded-random';
import { marketHandlers } from '../../apps/server/src/http/routes/market.ts';
import { MarketStore } from '../../apps/server/src/market/market-store.ts';
import { displayNames, nameFlagsOf } from '../../apps/server/src/market/name-flags.ts';
import { MarketReads } from '../../apps/server/src/market/reads/market-reads.ts';
import { refreshWindows } from '../../apps/server/src/market/refresh-windows.ts';
import { systemClock } from '../../apps/server/src/platform/clock.ts';
import { loadStrategiesOfWallets } from '../../apps/server/src/portfolio/strategy-wallets.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { startBenchServer } from './bench-server.ts';
import { requestsPerSecond } from './http-load.ts';
import { fillMarketHistory } from './market-history.ts';
import { chunksOf, tokensForLoad } from './market-load.ts';
import type { Figures } from '../../scripts/run-named.ts';
import { withDatabase } from '../../scripts/temporary-database.ts';

/** Different requests per figure. */
const VARIETY = 400;
/** Tokens whose charts are open at the same time, for each interval. */
const CHARTS = 140;
const ROUNDS = 3;

export default async function measureReads([
  tokenCount = '50000',
  tradeCount = '2000000',
]: readonly string[]): Promise<Figures> {
  return withDatabase(async (database) => {
    const tokens = tokensForLoad(Number(tokenCount));
    const store = new MarketStore(database, nameFlagsOf, displayNames);
    const startedMs = performance.now();
    for (const part of chunksOf(tokens, 5_000)) await store.storeTokens(part);
    await fillMarketHistory(database, tokens.length, Number(tradeCount));
    await refreshWindows(database);
    await database.query('vacuum analyze');
    const filledMs = performance.now();
    const clock = systemClock;
    const reads = new MarketReads({
      database,
      store,
      riskOf: () => 'ok',
      lagMs: () => 0,
      clock,
      log: createLog('silent'),
    });
    await reads.start();
    const loadedMs = performance.now();
    const handlers = marketHandlers({
      database,
      store,
      reads,
      clock,
      solUsd: { now: () => ({ usdMicro: 150_000_000n, atMs: Date.now() }) } as never,
      safety: { levelOf: () => 'ok' } as never,
      notices: {} as never,
      venue: {} as never,
      walletOf: async () => '',
      strategyWalletsAmong: (addresses) => loadStrategiesOfWallets(database, addresses),
      ownTrades: async () => ({ lists: [], nextCursor: null }),
      watchlistOf: async () => [],
      candleReadsPerSecond: 1_000_000,
    });
    const server = await startBenchServer({
      ...handlers,
      // The baseline: one row by primary key through the same stack.
      getConfig: async () =>
        (
          await database.query(
            `select token_id, price_usd::text, price_sol::text, holders, last_trade_at from token_stats where token_id = $1`,
            [1 + Math.floor(Math.random() * tokens.length)],
          )
        )[0] as never,
    });
    const ask = (paths: readonly string[], milliseconds = 2_000) =>
      requestsPerSecond(
        paths.map((path) => server.url + path),
        { milliseconds },
      );
    try {
      const mints = tokens.map(({ mint }) => mint);
      const cold = {
        coldCandles15mRps: await ask(candles(mints.slice(1_000, 1_000 + VARIETY), '15m'), 1_000),
        coldTradesRps: await ask(trades(mints.slice(-VARIETY)), 1_000),
      };
      const requests: Record<string, string[]> = {
        hotList: hotLists(),
        search: keywords(tokens).map(searchFor),
        typo: keywords(tokens).map(mistyped).map(searchFor),
        ...Object.fromEntries(
          CANDLE_INTERVALS.map((interval) => [`candles${interval}`, candles(mints.slice(0, CHARTS), interval)]),
        ),
        trades: trades(mints.slice(0, VARIETY)),
      };
      // What people look at has been looked at before; the first look is the cold figure above.
      for (const paths of Object.values(requests)) await askOnce(paths.map((path) => server.url + path));
      const baselines: number[] = [];
      const rates = new Map<string, number[]>(Object.keys(requests).map((name) => [name, []]));
      for (let round = 0; round < ROUNDS; round += 1) {
        baselines.push(await ask(['/api/config']));
        for (const [name, paths] of Object.entries(requests)) rates.get(name)!.push(await ask(paths));
      }
      const baseline = median(baselines);
      const medians = [...rates].map(([name, list]) => [name, median(list)] as const);
      const all = medians.map(([, rate]) => rate);
      // Two slips in one word are the rare case of a search; its distance is shown beside.
      const usual = medians.filter(([name]) => name !== 'typo').map(([, rate]) => rate);
      const lowestShare = Math.min(...all) / baseline;
      const spread = Math.max(...usual) / Math.min(...usual);
      return {
        tokens: tokens.length,
        trades: Number(tradeCount),
        fillSeconds: Math.round((filledMs - startedMs) / 1000),
        loadIntoMemoryMs: Math.round(loadedMs - filledMs),
        rssMegabytes: Math.round(process.memoryUsage().rss / 1_048_576),
        primaryKeyRps: baseline,
        ...Object.fromEntries(medians.map(([name, rate]) => [`${name}Rps`, rate])),
        ...cold,
        shares: Object.fromEntries(medians.map(([name, rate]) => [name, round2(rate / baseline)])),
        lowestShare: round2(lowestShare),
        barShare: 0.5,
        fastestOverSlowest: round2(spread),
        fastestOverTypo: round2(Math.max(...all) / Math.min(...all)),
        barFastestOverSlowest: 3,
        ok: lowestShare >= 0.5 && spread <= 3,
      };
    } finally {
      await server.close();
      await reads.stop();
    }
  });
}

async function askOnce(urls: readonly string[]): Promise<void> {
  for (const part of chunksOf(urls, 8)) {
    await Promise.all(part.map(async (url) => (await fetch(url)).arrayBuffer()));
  }
}

function hotLists(): string[] {
  const orders = ['score', 'volume', 'change', 'holders', 'newest'];
  return ['5m', '1h', '4h', '24h'].flatMap((period) =>
    orders.flatMap((order) =>
      [30, 40, 45, 50, 55, 60, 70].map(
        (limit) => `/api/token/getTokenHotList?period=${period}&sortBy=${order}&limit=${limit}`,
      ),
    ),
  );
}

/** Whole symbols, their beginnings, words of names, parts of addresses. */
function keywords(tokens: readonly { symbol: string; name: string; mint: string }[]): string[] {
  const random = new SeededRandom(11);
  return Array.from({ length: VARIETY }, (_, index) => {
    const { symbol, name, mint } = random.pick(tokens);
    const choices = [symbol, symbol.slice(0, -1), symbol.slice(0, 6), name, name.slice(3), mint.slice(-8)];
    return choices[index % choices.length]!.toLowerCase();
  });
}

/** With two neighbours swapped and a letter too many. */
function mistyped(keyword: string, index: number): string {
  const at = 1 + (index % Math.max(1, keyword.length - 2));
  return `${keyword.slice(0, at - 1)}${keyword[at]}${keyword[at - 1]}${keyword.slice(at + 1)}x`;
}

function searchFor(keyword: string): string {
  return `/api/token/getTokenList?keyword=${encodeURIComponent(keyword)}`;
}

function candles(mints: readonly string[], interval: string): string[] {
  return mints.map((mint) => `/api/v1/kline?tokenContractAddress=${mint}&interval=${interval}&limit=500`);
}

function trades(mints: readonly string[]): string[] {
  return mints.map((mint) => `/api/token/getTokenTransactionData?tokenContractAddress=${mint}&limit=50`);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

function round2(value: number): number {
  return Math.round(value * 100) / 100;
}
