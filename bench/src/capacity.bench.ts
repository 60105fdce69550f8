/**
 * Unit costs measured here (CPU per trade, order, allocation, message and signature; bytes per row) and a day simulated with them
 * at 1 million users, 100,000 sockets and 50,000 market trades a second; names the first bottleneck. Takes how much is measured, 1 unless told.
 */
import { lamports } from '@hunter/domain/numbers/lamports';
import { readdirSync } from 'node:fs';
import type { Address } from '@hunter/solana/address';
import { RpcClient } from '@hunter/solana/rpc-client';
import { decodeSwap } from '../../apps/server/src/market/decode-swap.ts';
import { MarketStore } from '../../apps/server/src/market/market-store.ts';
import { displayNames, nameFlagsOf } from '../../apps/server/src/market/name-flags.ts';
import type { Database } from '../../apps/server/src/platform/postgres.ts';
import { systemClock } from '../../apps/server/src/platform/clock.ts';
import { startChainServices, startTradingWorld } from '../../apps/server/src/trading/world-for-test.ts';
import { LocalVenue } from '../../apps/server/src/venue/local-venue.ts';
import type { Figures } from '../../scripts/run-named.ts';
import { withDatabase } from '../../scripts/temporary-database.ts';
import { measureAllocations } from './allocations.ts';
import { bytesPerDay, coresNeeded, firstBottleneck, simulateDay, STATIONS, type UnitCosts } from './capacity-model.ts';
import { statOf } from './cpu-limit.ts';
import { chunksOf, tokensForLoad, tradesForLoad } from './market-load.ts';
import measureSigner from './signer.bench.ts';
import measureStream from './stream.bench.ts';

const TARGET = {
  users: 1_000_000,
  sockets: 100_000,
  marketTradesPerSecond: 50_000,
  ordersPerUserAndDay: 2,
  creatorShare: 0.02,
  followersPerRound: 200,
  messagesPerSocket: 5,
};
/** One indexer and one signer, because each is one process; the rest as many as a large installation would give. */
const DEPLOYMENT = { indexer: 1, database: 32, engine: 8, stream: 32, signer: 8 };
/** As in the indexer. */
const PAGE = 1_000;
const READ = 250;
const SPEND = 10_000_000n;

type Cost = { serverMicros: number; databaseMicros: number; bytes: number };

export default async function measureCapacity([scale = '1']: readonly string[]): Promise<Figures> {
  const size = Number(scale);
  const { trade, allocation } = await withDatabase(async (database) => ({
    trade: await measureTrades(database, 60_000 * size),
    allocation: await measureAllocated(database, 2_000 * size),
  }));
  const order = await withDatabase((database, url) => measureOrders(database, url, 60 * size));
  const tradeReadMicros = await measureReading();
  const stream = await measureStream([String(2_000 * size), '6']);
  const signer = await measureSigner([String(3 * size)]);
  const costs: UnitCosts = {
    tradeReadMicros,
    tradeServerMicros: trade.serverMicros,
    tradeDatabaseMicros: trade.databaseMicros,
    tradeBytes: trade.bytes,
    orderServerMicros: order.serverMicros,
    orderDatabaseMicros: order.databaseMicros,
    orderBytes: order.bytes,
    allocationServerMicros: allocation.serverMicros,
    allocationDatabaseMicros: allocation.databaseMicros,
    allocationBytes: allocation.bytes,
    messageMicros: ((stream['cpuMs'] as number) * 1000) / (stream['received'] as number),
    // Two threads on two cores.
    signatureMicros: (2 * 1_000_000) / (signer['signedPerSecond'] as number),
  };
  const day = simulateDay(costs, TARGET, DEPLOYMENT);
  const { market, own } = bytesPerDay(costs, TARGET);
  const withoutMarket = coresNeeded(costs, { ...TARGET, marketTradesPerSecond: 0 });
  return {
    costs: rounded(costs),
    target: TARGET,
    stations: Object.fromEntries(STATIONS.map((station) => [station, rounded(day[station])])),
    firstBottleneck: firstBottleneck(day),
    // The split, in the busiest hour.
    databaseCoresOwnOrders: round(withoutMarket.database),
    databaseCoresMarket: round(coresNeeded(costs, TARGET).database - withoutMarket.database),
    gigabytesPerDay: { market: round(market / 1e9), own: round(own / 1e9) },
    indexerTradesPerSecondMax: Math.round(1_000_000 / (costs.tradeReadMicros + costs.tradeServerMicros)),
  };
}

async function measureTrades(database: Database, count: number): Promise<Cost> {
  const tokens = tokensForLoad(2_000);
  const store = new MarketStore(database, nameFlagsOf, displayNames);
  await store.storeTokens(tokens);
  return costOf(database, count, async () => {
    for (const batch of chunksOf(tradesForLoad(tokens, count, 5_000), 5_000)) {
      await store.storeTrades(batch, 'bench', {});
    }
  });
}

/** As the indexer reads a market that it has never seen; CPU of this process per swap. */
async function measureReading(): Promise<number> {
  const services = await startChainServices({ pastTrades: 500 });
  const rpc = new RpcClient({ url: services.rpcUrl });
  try {
    const address = (await new LocalVenue({
      url: services.venueUrl,
      clock: systemClock,
    }).referenceAddress()) as Address;
    const before = process.cpuUsage();
    let swaps = 0;
    for (let last: string | undefined; ;) {
      const page = await rpc.getSignaturesForAddress(address, { ...(last && { before: last }), limit: PAGE });
      for (const part of chunksOf(page, READ)) {
        const found = await rpc.getTransactions(part.map(({ signature }) => signature));
        swaps += found.filter((transaction) => transaction && decodeSwap(transaction)).length;
      }
      if (page.length < PAGE) break;
      last = page.at(-1)!.signature;
    }
    const used = process.cpuUsage(before);
    return (used.user + used.system) / swaps;
  } finally {
    rpc.close();
    await services.close();
  }
}

/** Five rounds. A bare insert of as many rows runs between them, so this is an upper bound. */
async function measureAllocated(database: Database, count: number): Promise<Cost> {
  return costOf(database, count * 5, () => measureAllocations(database, count));
}

async function measureOrders(database: Database, url: string, count: number): Promise<Cost> {
  const world = await startTradingWorld(url);
  try {
    const traders = await world.traders(count, 1_000_000_000n);
    return await costOf(database, count, () =>
      Promise.all(
        traders.map(({ userId, bookId }) =>
          world.engine.placeOrder(
            {
              userId,
              bookId,
              mint: world.mint,
              kind: 'trade',
              side: 'buy',
              amountIn: lamports(SPEND),
              slippageBps: 3_000,
            },
            { waitMs: 120_000 },
          ),
        ),
      ),
    );
  } finally {
    await world.close();
  }
}

/** CPU of this process and of PostgreSQL, and how much the database grew, per unit of the work. */
async function costOf(database: Database, units: number, work: () => Promise<unknown>): Promise<Cost> {
  const postmaster = await postmasterOf(database);
  const bytesBefore = await databaseBytes(database);
  const [serverBefore, databaseBefore] = [process.cpuUsage(), databaseSeconds(postmaster)];
  await work();
  const used = process.cpuUsage(serverBefore);
  const seconds = databaseSeconds(postmaster) - databaseBefore;
  return {
    serverMicros: (used.user + used.system) / units,
    databaseMicros: (seconds * 1_000_000) / units,
    bytes: ((await databaseBytes(database)) - bytesBefore) / units,
  };
}

async function databaseBytes(database: Database): Promise<number> {
  const [row] = await database.query<{ bytes: bigint }>(`select pg_database_size(current_database()) as bytes`);
  return Number(row!.bytes);
}

async function postmasterOf(database: Database): Promise<number> {
  const [row] = await database.query<{ pid: number }>(`select pg_backend_pid() as pid`);
  return statOf(row!.pid)!.parent;
}

/** Of the server's processes that run and of those that have ended. */
function databaseSeconds(postmaster: number): number {
  const running = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)) ?? [])
    .filter(({ pid, parent }) => pid === postmaster || parent === postmaster);
  return running.reduce((sum, { pid, own, ended }) => sum + own + (pid === postmaster ? ended : 0), 0);
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}

function rounded(values: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, round(value)]));
}
