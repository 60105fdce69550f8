/**
 * Market reads over HTTP on a large store, each against a single primary-key select through the same HTTP stack in the same
 * run. Bars: each at least 50 % of it, and the slowest within 3 times the fastest.
 */
import { marketHandlers } from '../../apps/server/src/http/routes/market.ts';
import { MarketStore } from '../../apps/server/src/market/market-store.ts';
import { displayNames, nameFlagsOf } from '../../apps/server/src/market/name-flags.ts';
import { refreshWindows } from '../../apps/server/src/market/refresh-windows.ts';
import { systemClock } from '../../apps/server/src/platform/clock.ts';
import { startBenchServer } from './bench-server.ts';
import { requestsPerSecond } from './http-load.ts';
import { chunksOf, tokensForLoad, tradesForLoad } from './market-load.ts';
import type { Figures } from './run-named.ts';
import { withDatabase } from './temporary-database.ts';

export default async function measureReads([
  tokenCount = '50000',
  tradeCount = '2000000',
]: readonly string[]): Promise<Figures> {
  return withDatabase(async (database) => {
    const tokens = tokensForLoad(Number(tokenCount));
    const store = new MarketStore(database, nameFlagsOf, displayNames);
    for (const part of chunksOf(tokens, 5_000)) await store.storeTokens(part);
    for (const batch of chunksOf(tradesForLoad(tokens, Number(tradeCount), 20_000), 10_000)) {
      await store.storeTrades(batch, 'bench', {});
    }
    await refreshWindows(database);
    await database.query('vacuum analyze');
    const handlers = marketHandlers({
      database,
      store,
      clock: systemClock,
      solUsd: { now: () => ({ usdMicro: 150_000_000n, atMs: Date.now() }) } as never,
      safety: { levelOf: () => 'ok' } as never,
      notices: {} as never,
      walletOf: async () => '',
    });
    const server = await startBenchServer({
      ...handlers,
      // The baseline: one row by primary key through the same stack.
      getConfig: async () =>
        (
          await database.query(
            `select token_id, price_usd::text, price_sol::text, holders, last_trade_at from token_stats where token_id = $1`,
            [1],
          )
        )[0] as never,
    });
    const mint = tokens[0]!.mint;
    const paths: Record<string, string> = {
      hotList: '/api/token/getTokenHotList?period=1h&sortBy=volume&limit=50',
      search: '/api/token/getTokenList?keyword=otter10',
      typo: '/api/token/getTokenList?keyword=oter106',
      candles1m: `/api/v1/kline?tokenContractAddress=${mint}&interval=1m&limit=500`,
      candles15m: `/api/v1/kline?tokenContractAddress=${mint}&interval=15m&limit=500`,
      candles1h: `/api/v1/kline?tokenContractAddress=${mint}&interval=1h&limit=500`,
      trades: `/api/token/getTokenTransactionData?tokenContractAddress=${mint}&limit=50`,
    };
    try {
      const figures: Record<string, unknown> = { tokens: Number(tokenCount), trades: Number(tradeCount) };
      const baseline = await requestsPerSecond(`${server.url}/api/config`);
      figures['primaryKeyRps'] = baseline;
      const rates: number[] = [];
      for (const [name, path] of Object.entries(paths)) {
        const rate = await requestsPerSecond(server.url + path);
        rates.push(rate);
        figures[`${name}Rps`] = rate;
        figures[`${name}Share`] = Math.round((rate / baseline) * 100) / 100;
      }
      figures['barShare'] = 0.5;
      figures['fastestOverSlowest'] = Math.round((Math.max(...rates) / Math.min(...rates)) * 100) / 100;
      figures['barFastestOverSlowest'] = 3;
      return figures;
    } finally {
      await server.close();
    }
  });
}
