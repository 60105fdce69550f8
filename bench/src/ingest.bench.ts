/**
 * Storing trades with candles, stats and holders, against inserting the same rows alone, batch by batch in turn on the
 * same server. Bars: at least 12,000 trades/s, at least 40 % of the plain insert, and a flat cost from the first to the
 * last part.
 */
import { MarketStore } from '../../apps/server/src/market/market-store.ts';
import { displayNames, nameFlagsOf } from '../../apps/server/src/market/name-flags.ts';
import type { StoredTrade } from '../../apps/server/src/market/stored-trade.ts';
import { insertingTrades, tradeColumns } from '../../apps/server/src/market/trade-rows.ts';
import type { Database } from '../../apps/server/src/platform/postgres.ts';
import { chunksOf, tokensForLoad, tradesForLoad } from './market-load.ts';
import type { Figures } from '../../scripts/run-named.ts';
import { withDatabase } from '../../scripts/temporary-database.ts';

const BATCH = 5_000;
const TOKENS = 2_000;
const WALLETS = 5_000;

export default async function measureIngest([count = '300000']: readonly string[]): Promise<Figures> {
  return withDatabase(async (database) => {
    const tokens = tokensForLoad(TOKENS);
    const store = new MarketStore(database, nameFlagsOf, displayNames);
    await store.storeTokens(tokens);
    await database.write(`create table plain_trade (like trade including all)`);
    let stored: readonly StoredTrade[] = [];
    store.onTrades((trades) => {
      stored = trades;
    });

    const storedMs: number[] = [];
    const plainMs: number[] = [];
    for (const batch of chunksOf(tradesForLoad(tokens, Number(count), WALLETS), BATCH)) {
      storedMs.push(await timed(() => store.storeTrades(batch, 'bench', {})));
      plainMs.push(await timed(() => insertAlone(database, stored)));
    }

    const part = Math.max(1, Math.floor(storedMs.length / 5));
    return {
      trades: Number(count),
      tradesPerSecond: Math.round((Number(count) / sum(storedMs)) * 1000),
      barTradesPerSecond: 12_000,
      plainInsertsPerSecond: Math.round((Number(count) / sum(plainMs)) * 1000),
      shareOfPlain: round(sum(plainMs) / sum(storedMs)),
      // Half of the pairs of batches reached this: what other work on the machine did to single batches is left out.
      medianShareOfPlain: round(1 / timesPlain(storedMs, plainMs)),
      barShareOfPlain: 0.4,
      ...flatness(storedMs, plainMs),
      lastFifthOverFirstFifth: round(median(storedMs.slice(-part)) / median(storedMs.slice(0, part))),
    };
  });
}

/** The cost of a trade after the first hundred thousand and at the end; inserting alone beside, for what the machine did meanwhile. */
function flatness(storedMs: readonly number[], plainMs: readonly number[]): Figures {
  const part = 100_000 / BATCH;
  if (storedMs.length < 3 * part) return {};
  const microseconds = (ms: readonly number[]) => round((median(ms) / BATCH) * 1000);
  const [early, late] = [storedMs.slice(part, 2 * part), storedMs.slice(-part)];
  const [earlyPlain, latePlain] = [plainMs.slice(part, 2 * part), plainMs.slice(-part)];
  return {
    microsecondsAfter100k: microseconds(early),
    microsecondsAtEnd: microseconds(late),
    plainMicrosecondsAfter100k: microseconds(earlyPlain),
    plainMicrosecondsAtEnd: microseconds(latePlain),
    endOverAfter100k: round(median(late) / median(early)),
    // What is left of it where inserting alone became as much dearer meanwhile, batch beside batch.
    endOverAfter100kAgainstPlain: round(timesPlain(late, latePlain) / timesPlain(early, earlyPlain)),
  };
}

function timesPlain(storedMs: readonly number[], plainMs: readonly number[]): number {
  return median(storedMs.map((ms, index) => ms / plainMs[index]!));
}

/** The same rows in the same way with the same promise of durability, and nothing else. */
async function insertAlone(database: Database, trades: readonly StoredTrade[]): Promise<void> {
  await database.transaction(async (sql) => {
    await sql.query(`select set_config('synchronous_commit', 'off', true)`);
    await sql.write(insertingTrades('plain_trade'), tradeColumns(trades));
  });
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
