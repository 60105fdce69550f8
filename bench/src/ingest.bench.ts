/**
 * Storing trades with candles, stats and holders, against inserting the same trades alone, on the same server in the same
 * run. Bars: at least 12,000 trades/s, at least 40 % of the plain insert, and a flat cost from the first to the last part.
 */
import { MarketStore } from '../../apps/server/src/market/market-store.ts';
import { displayNames, nameFlagsOf } from '../../apps/server/src/market/name-flags.ts';
import { chunks, tokensForLoad, tradesForLoad } from './market-load.ts';
import type { Figures } from './run-named.ts';
import { withDatabase } from './temporary-database.ts';

const BATCH = 5_000;
const TOKENS = 2_000;
const WALLETS = 5_000;

export default async function measureIngest([count = '300000']: readonly string[]): Promise<Figures> {
  return withDatabase(async (database) => {
    const tokens = tokensForLoad(TOKENS);
    const store = new MarketStore(database, nameFlagsOf, displayNames);
    await store.storeTokens(tokens);
    const batches = chunks(tradesForLoad(tokens, Number(count), WALLETS), BATCH);

    const perBatchMs: number[] = [];
    for (const batch of batches) {
      const startedAt = performance.now();
      await store.storeTrades(batch, 'bench', {});
      perBatchMs.push(performance.now() - startedAt);
    }
    const storedMs = perBatchMs.reduce((sum, ms) => sum + ms, 0);

    await database.query(`create table plain_trade (like trade including all)`);
    let plainMs = 0;
    for (const batch of batches) {
      const rows = batch.map((trade, index) => ({ trade, tokenId: store.tokens.get(trade.mint)!.id, index }));
      const startedAt = performance.now();
      await database.transaction((sql) =>
        sql.query(
          `insert into plain_trade (token_id, seq, at, is_buy, lamports, base_units, price_sol, price_usd, value_usd, trader_id, signature)
           select * from unnest($1::int[], $2::bigint[], $3::timestamptz[], $4::bool[], $5::numeric[], $6::numeric[],
                                $7::numeric[], $8::numeric[], $9::numeric[], $10::int[], $11::text[])`,
          [
            rows.map((row) => row.tokenId),
            rows.map((row) => row.trade.seq),
            rows.map((row) => new Date(row.trade.atMs)),
            rows.map((row) => row.trade.isBuy),
            rows.map((row) => row.trade.lamports),
            rows.map((row) => row.trade.baseUnits),
            rows.map(() => 227_889_439_303_941n),
            rows.map(() => 37_961_321_442_484_023n),
            rows.map(() => 846_215_224n),
            rows.map((row) => row.index),
            rows.map((row) => row.trade.signature),
          ],
        ),
      );
      plainMs += performance.now() - startedAt;
    }

    const part = Math.max(1, Math.floor(perBatchMs.length / 5));
    const mean = (values: readonly number[]) => values.reduce((sum, ms) => sum + ms, 0) / values.length;
    return {
      trades: Number(count),
      tradesPerSecond: Math.round((Number(count) / storedMs) * 1000),
      barTradesPerSecond: 12_000,
      plainInsertsPerSecond: Math.round((Number(count) / plainMs) * 1000),
      shareOfPlain: round(plainMs / storedMs),
      barShareOfPlain: 0.4,
      lastFifthOverFirstFifth: round(mean(perBatchMs.slice(-part)) / mean(perBatchMs.slice(0, part))),
    };
  });
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
