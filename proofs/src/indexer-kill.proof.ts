/**
 * Kills the market indexer with SIGKILL at random moments while a real localnet trades, leaves a gap, repeats and
 * reorders deliveries: afterwards the store holds every swap of the chain once, and candles, stats and holders equal
 * those worked out from the raw trades by a slow function of its own. Takes the number of kills (100), trades a second (20)
 * and the seconds the indexer stays away in the middle while the market goes on (600).
 */
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Address } from '@hunter/solana/address';
import { RpcClient } from '@hunter/solana/rpc-client';
import { decodeSwap } from '../../apps/server/src/market/decode-swap.ts';
import type { MarketTrade } from '../../apps/server/src/market/market-source.ts';
import { MarketStore } from '../../apps/server/src/market/market-store.ts';
import { displayNames, nameFlagsOf } from '../../apps/server/src/market/name-flags.ts';
import { systemClock } from '../../apps/server/src/platform/clock.ts';
import { LocalVenue } from '../../apps/server/src/venue/local-venue.ts';
import type { Database } from '../../apps/server/src/platform/postgres.ts';
import { until } from '../../scripts/product-client.ts';
import type { Figures } from '../../scripts/run-named.ts';
import { killAtRandom } from './kill/kill-at-random.ts';
import { KillableProcess } from './kill/killable-process.ts';
import { differencesFromRawTrades, keyOf, type OnWallet } from './slow-market.ts';
import { withDatabase } from '../../scripts/temporary-database.ts';

const LIFE_MS = [0, 800] as const;
const PLACES_PER_SLOT = 65_536n;
const WAIT_MS_MAX = 300_000;

type Chain = { rpc: string; rpcWs: string; venue: string };
/** What the chain says of one swap, read in one go after the end. */
type ChainSwap = NonNullable<ReturnType<typeof decodeSwap>> & { seq: bigint; signature: string };

export default async function proveIndexer([
  kills = '100',
  perSecond = '20',
  gapSeconds = '600',
  pastTrades = '500',
]: readonly string[]): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'hunter-indexer-kill-'));
  const localnet = new KillableProcess<Chain>('apps/localnet/src/main.ts', {
    DATA_DIR: folder,
    LOCALNET_PORT: '0',
    MARKET_TRADES_PER_SECOND: perSecond,
    MARKET_PAST_TRADES: pastTrades,
  });
  try {
    const chain = await localnet.start();
    return await withDatabase((database, url) => prove(database, url, chain, Number(kills), Number(gapSeconds)));
  } finally {
    await localnet.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function prove(
  database: Database,
  databaseUrl: string,
  chain: Chain,
  kills: number,
  gapSeconds: number,
): Promise<Figures> {
  const indexer = new KillableProcess('proofs/src/kill/indexer-process.ts', {
    DATABASE_URL: databaseUrl,
    SOLANA_RPC_URL: chain.rpc,
    SOLANA_WS_URL: chain.rpcWs,
    VENUE_URL: chain.venue,
  });
  let killedAtWork = 0;
  let stored = await countTrades(database);
  let gap = { slots: 0, swaps: 0 };
  await indexer.start();
  await killAtRandom(indexer, {
    kills,
    lifeMs: LIFE_MS,
    // It dies somewhere in the middle of its work, not while it starts.
    atWork: () => storedAtLeast(database, stored + 1),
    dead: async (round) => {
      const before = stored;
      stored = await countTrades(database);
      if (stored > before) killedAtWork += 1;
      if (round === Math.floor(kills / 2)) gap = await stayAway(gapSeconds, chain);
    },
  });
  const rpc = new RpcClient({ url: chain.rpc });
  const venue = new LocalVenue({ url: chain.venue, clock: systemClock });
  const address = (await venue.referenceAddress()) as Address;
  await storedAtLeast(database, (await swapsOnChain(rpc, address)).length);
  await indexer.kill();
  // The market has gone on meanwhile; what came after the newest stored trade is not the store's to have.
  const newest = await newestStored(database);
  const swaps = (await swapsOnChain(rpc, address)).filter((swap) => swap.seq <= newest);
  await redeliver(database, swaps);
  const missing = await compareWithChain(database, swaps);
  const different = await differencesFromRawTrades(database, await walletsOf(database, swaps));
  const tokens = new Set(swaps.map((swap) => swap.mint)).size;
  rpc.close();
  return {
    kills,
    killedAtWork,
    gapSeconds,
    gapSlots: gap.slots,
    swapsInGap: gap.swaps,
    swapsOnChain: swaps.length,
    tokens,
    missingOrDoubled: missing,
    different,
    ok: missing === 0 && different.length === 0,
  };
}

/** The market goes on and nobody reads it; answers how much of it passed. */
async function stayAway(seconds: number, chain: Chain): Promise<{ slots: number; swaps: number }> {
  const rpc = new RpcClient({ url: chain.rpc });
  try {
    const address = (await new LocalVenue({ url: chain.venue, clock: systemClock }).referenceAddress()) as Address;
    const count = async () => (await signaturesOf(rpc, address)).length;
    const [slot, swaps] = [await rpc.getSlot('confirmed'), await count()];
    await delay(seconds * 1_000);
    return { slots: Number((await rpc.getSlot('confirmed')) - slot), swaps: (await count()) - swaps };
  } finally {
    rpc.close();
  }
}

async function countTrades(database: Database): Promise<number> {
  const [row] = await database.query<{ count: number }>(`select count(*)::int as count from trade`);
  return row!.count;
}

async function storedAtLeast(database: Database, count: number): Promise<void> {
  await until(async () => (await countTrades(database)) >= count, `${count} stored swaps`, WAIT_MS_MAX);
}

async function newestStored(database: Database): Promise<bigint> {
  const [row] = await database.query<{ seq: bigint }>(`select max(seq) as seq from trade`);
  return row!.seq;
}

/** Oldest first, in one pass from the newest back. */
async function signaturesOf(rpc: RpcClient, address: Address): ReturnType<RpcClient['getSignaturesForAddress']> {
  const rows: Awaited<ReturnType<RpcClient['getSignaturesForAddress']>> = [];
  for (;;) {
    const before = rows.at(-1)?.signature;
    const page = await rpc.getSignaturesForAddress(address, {
      ...(before === undefined ? {} : { before }),
      limit: 1_000,
      commitment: 'confirmed',
    });
    rows.push(...page);
    if (page.length < 1_000) break;
  }
  return rows.reverse();
}

async function swapsOnChain(rpc: RpcClient, address: Address): Promise<ChainSwap[]> {
  const rows = await signaturesOf(rpc, address);
  const swaps: ChainSwap[] = [];
  let [slot, place] = [-1n, 0n];
  for (let from = 0; from < rows.length; from += 250) {
    const part = rows.slice(from, from + 250);
    const found = await rpc.getTransactions(
      part.map((row) => row.signature),
      'confirmed',
    );
    for (const [index, row] of part.entries()) {
      place = row.slot === slot ? place + 1n : 0n;
      slot = row.slot;
      const swap = found[index] ? decodeSwap(found[index]) : null;
      if (swap) swaps.push({ ...swap, seq: slot * PLACES_PER_SLOT + place, signature: row.signature });
    }
  }
  return swaps;
}

/** Hands every swap of the chain to the store once more, in random order and batches. */
async function redeliver(database: Database, swaps: readonly ChainSwap[]): Promise<void> {
  const store = new MarketStore(database, nameFlagsOf, displayNames);
  await store.tokens.load();
  const cursor = await store.loadCursor('chain');
  const shuffled = swaps.map((swap) => ({ swap, key: randomInt(1_000_000_000) })).toSorted((a, b) => a.key - b.key);
  for (let from = 0; from < shuffled.length;) {
    const size = randomInt(1, 2_000);
    const batch = shuffled.slice(from, from + size).map(({ swap }): MarketTrade => ({
      ...swap,
      atMs: 0,
      solUsdMicro: 1_000_000n,
    }));
    await store.storeTrades(batch, 'chain', cursor);
    from += size;
  }
}

async function compareWithChain(database: Database, swaps: readonly ChainSwap[]): Promise<number> {
  const stored = await database.query<{ key: string }>(
    `select concat_ws(' ', t.mint, x.seq, x.is_buy, x.lamports, x.base_units, r.address, x.signature) as key
     from trade x join token t on t.id = x.token_id join trader r on r.id = x.trader_id`,
  );
  const onChain = new Set(
    swaps.map(({ mint, seq, isBuy, lamports, baseUnits, wallet, signature }) =>
      [mint, seq, isBuy ? 't' : 'f', lamports, baseUnits, wallet, signature].join(' '),
    ),
  );
  const extra = stored.filter(({ key }) => !onChain.has(key)).length;
  return (
    extra + (onChain.size - (stored.length - extra)) + (stored.length - new Set(stored.map(({ key }) => key)).size)
  );
}

async function walletsOf(database: Database, swaps: readonly ChainSwap[]): Promise<Map<string, OnWallet>> {
  const tokens = await database.query<{ id: number; mint: string }>(`select id, mint from token`);
  const traders = await database.query<{ id: number; address: string }>(`select id, address from trader`);
  const tokenIds = new Map(tokens.map(({ id, mint }) => [mint, id]));
  const traderIds = new Map(traders.map(({ id, address }) => [address, id]));
  return new Map(
    swaps.map(({ mint, wallet, seq, arrivedUnits, walletUnitsAfter }) => {
      const trade = { tokenId: tokenIds.get(mint)!, traderId: traderIds.get(wallet)!, seq };
      return [keyOf(trade), { arrived: arrivedUnits, heldAfter: walletUnitsAfter }];
    }),
  );
}
