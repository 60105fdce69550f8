/**
 * Orders that wait. Storing trades while triggers on a thousand tokens are asked after every batch, against storing the same number
 * without, batch by batch in turn; the time from a stored change to the sent order, against that of a plain order; memory of a trigger.
 * Bars: ≤ 1.3 ×; p99 ≤ 2 ×. Arguments: triggers, orders.
 */
import { randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { baseUnits } from '@hunter/domain/base-units';
import { lamports } from '@hunter/domain/lamports';
import type { Pool } from '@hunter/domain/swap-maths';
import { MarketStore } from '../../apps/server/src/market/market-store.ts';
import { displayNames, nameFlagsOf } from '../../apps/server/src/market/name-flags.ts';
import type { StoredTrade } from '../../apps/server/src/market/stored-trade.ts';
import type { Database } from '../../apps/server/src/platform/postgres.ts';
import { insertTraders, startTradingWorld, type TradingWorld } from '../../apps/server/src/trading/world-for-test.ts';
import { placeTriggers } from '../../apps/server/src/triggers/place-triggers.ts';
import { blank } from '../../apps/server/src/triggers/protect-buy.ts';
import type { Trigger } from '../../apps/server/src/triggers/trigger.ts';
import { insertTriggers } from '../../apps/server/src/triggers/trigger-store.ts';
import { triggersOn } from '../../apps/server/src/triggers/triggers-for-test.ts';
import { chunksOf, tokensForLoad, tradesForLoad } from './market-load.ts';
import type { Figures } from '../../scripts/run-named.ts';
import { withDatabase } from '../../scripts/temporary-database.ts';

const TOKENS = 1_000;
const WALLETS = 5_000;
const BATCH = 2_000;
const BATCHES = 30;
const SOL = 1_000_000_000n;

export default async function measureTriggers([count = '100000', orders = '40']: readonly string[]): Promise<Figures> {
  return withDatabase(async (database, url) => {
    const world = await startTradingWorld(url);
    try {
      const sending = await measureSending(world, Number(orders));
      const ingest = await measureIngest(world, database, Number(count));
      return { ...ingest, ...sending, ok: ingest.timesWithout <= 1.3 && sending.timesPlainP99 <= 2 };
    } finally {
      await world.close();
    }
  });
}

async function measureIngest(world: TradingWorld, database: Database, count: number) {
  const tokens = tokensForLoad(TOKENS);
  const store = new MarketStore(database, nameFlagsOf, displayNames);
  await store.storeTokens(tokens);
  const userId = randomUUID();
  const bookId = randomUUID();
  const trader = { userId, walletId: randomUUID(), address: `Trader${userId}`, envelope: '', bookId };
  await insertTraders(database, [trader as never], SOL);
  for (let start = 0; start < count; start += BATCH) {
    const some = Array.from({ length: Math.min(BATCH, count - start) }, (_, index) =>
      aTrigger({ userId, bookId, mint: tokens[(start + index) % TOKENS]!.mint }, start + index),
    );
    await insertTriggers(database, some);
  }
  const pools = new Map<string, Pool>();
  const before = memory();
  const triggers = await triggersOn(world, {
    loadPools: async (mints) =>
      new Map(mints.flatMap((mint) => (pools.has(mint) ? [[mint, { pool: pools.get(mint)!, isGuess: false }]] : []))),
  });
  const bytes = Math.round((memory() - before) / count);
  let isWatching = false;
  store.onTrades((trades) => {
    for (const { mint, priceSol } of trades) pools.set(mint, poolAt(priceSol));
    if (isWatching) triggers.loop.tradesStored(trades);
  });
  const withMs: number[] = [];
  const withoutMs: number[] = [];
  let place = 0;
  for (const batch of chunksOf(tradesForLoad(tokens, BATCH * BATCHES, WALLETS), BATCH)) {
    isWatching = place % 2 === 1;
    place += 1;
    const startedMs = performance.now();
    await store.storeTrades(batch, 'bench', {});
    if (isWatching) await triggers.loop.pass();
    (isWatching ? withMs : withoutMs).push(performance.now() - startedMs);
  }
  return {
    triggers: triggers.index.size,
    bytesPerTrigger: bytes,
    batchMsWith: Math.round(median(withMs)),
    batchMsWithout: Math.round(median(withoutMs)),
    timesWithout: Math.round((median(withMs) / median(withoutMs)) * 100) / 100,
    timesBar: 1.3,
  };
}

/** Stops and targets of all units, far enough away that the load fires none. */
function aTrigger(of: { userId: string; bookId: string; mint: string }, index: number): Trigger {
  const unit = (['sol', 'usd', 'market-cap'] as const)[index % 3]!;
  const when = index % 2 === 0 ? 'below' : 'above';
  const value = when === 'below' ? BigInt(1 + index) : 10n ** 36n + BigInt(index);
  return {
    ...blank,
    ...of,
    id: randomUUID(),
    bookKind: 'personal',
    state: 'open',
    slippageBps: 500,
    createdAt: new Date(),
    rule: {
      kind: 'limit',
      side: 'buy',
      level: { unit, value, when },
      amount: { unit: 'sol', value: 10_000_000n },
      trailing: null,
      schedule: null,
      firesAtMs: null,
      expiresAtMs: null,
    },
  };
}

/** A pool of 100 SOL at this price. */
function poolAt(priceSol: bigint): Pool {
  const tokens = (100n * SOL * 10n ** 15n) / (priceSol > 0n ? priceSol : 1n);
  return {
    solReserve: lamports(100n * SOL),
    tokenReserve: baseUnits(tokens > 0n ? tokens : 1n),
    virtualSol: lamports(0n),
    virtualTokens: baseUnits(0n),
    feeBps: 50n,
  };
}

/** From the call, and from the stored change, to the transaction that leaves. */
async function measureSending(world: TradingWorld, count: number) {
  const [trader] = await world.traders(1, 50n * SOL);
  const { userId, bookId } = trader!;
  const own = { userId, bookId, mint: world.mint, slippageBps: 2_000 };
  await world.engine.placeOrder({ ...own, side: 'buy', amountIn: 20n * SOL, kind: 'trade' }, { waitMs: 60_000 });
  const triggers = await triggersOn(world);
  let left = Promise.withResolvers<number>();
  const execute = world.venue.execute.bind(world.venue);
  world.venue.execute = (input) => {
    left.resolve(performance.now());
    return execute(input);
  };
  /** How long after that the next transaction leaves. */
  const sent = async (since: number): Promise<number> => {
    const atMs = await left.promise;
    left = Promise.withResolvers<number>();
    return atMs - since;
  };
  const plain: number[] = [];
  const fired: number[] = [];
  const change = { mint: world.mint, isBuy: true, wallet: '', atMs: 0 } as StoredTrade;
  for (let turn = 0; turn < count; turn += 1) {
    const startedMs = performance.now();
    const order = world.engine.placeOrder({ ...own, side: 'sell', amountIn: 1_000_000n, kind: 'close', fit: true });
    plain.push(await sent(startedMs));
    await order;
    await placeTriggers(
      triggers,
      {
        tokenContractAddress: world.mint,
        triggers: [
          {
            kind: 'stop-loss',
            level: { unit: 'usd', value: '1000000' },
            amount: { unit: 'tokens', value: '1' },
          },
        ],
      },
      { key: `bench ${turn}`, userId },
    );
    const changedMs = performance.now();
    triggers.loop.tradesStored([change]);
    await triggers.loop.pass();
    fired.push(await sent(changedMs));
    const isOpen = async () =>
      (await world.database.query(`select 1 from trade_order where state in ('held', 'sent')`)).length > 0;
    while (await isOpen()) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return {
    plainP99Ms: Math.round(percentile(plain, 0.99)),
    firedP99Ms: Math.round(percentile(fired, 0.99)),
    plainMedianMs: Math.round(median(plain)),
    firedMedianMs: Math.round(median(fired)),
    timesPlainP99: Math.round((percentile(fired, 0.99) / percentile(plain, 0.99)) * 100) / 100,
    p99Bar: 2,
  };
}

function memory(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
}

function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}
