/**
 * Orders that wait. Storing trades while triggers on a thousand tokens are asked after every batch, against storing the same number
 * without, batch by batch in turn; with all of them open, the time from a stored change to the sent order, against that of a plain
 * order; memory of a trigger. Bars: ≤ 1.3 ×; p99 ≤ 2 ×. Arguments: triggers, orders.
 */
import { randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { lamports } from '@hunter/domain/numbers/lamports';
import { smaller } from '@hunter/domain/numbers/rounding';
import type { Pool } from '@hunter/domain/market/swap-maths';
import { MarketStore } from '../../apps/server/src/market/market-store.ts';
import { displayNames, nameFlagsOf } from '../../apps/server/src/market/name-flags.ts';
import type { StoredTrade } from '../../apps/server/src/market/stored-trade.ts';
import type { Database } from '../../apps/server/src/platform/postgres.ts';
import { insertTraders, startTradingWorld, type TradingWorld } from '../../apps/server/src/trading/world-for-test.ts';
import { poolLoader } from '../../apps/server/src/triggers/create-triggers.ts';
import { placeTriggers } from '../../apps/server/src/triggers/place-triggers.ts';
import { triggersOn, type TestTriggers } from '../../apps/server/src/triggers/triggers-for-test.ts';
import { chunksOf, tokensForLoad, tradesForLoad } from './market-load.ts';
import type { Figures } from '../../scripts/run-named.ts';
import { withDatabase } from '../../scripts/temporary-database.ts';

const TOKENS = 1_000;
const WALLETS = 5_000;
const BATCH = 2_000;
const BATCHES = 30;
const SOL = 1_000_000_000n;

export default async function measureTriggers([count = '100000', orders = '120']: readonly string[]): Promise<Figures> {
  return withDatabase(async (database, url) => {
    const world = await startTradingWorld(url);
    try {
      const store = new MarketStore(database, nameFlagsOf, displayNames);
      const tokens = tokensForLoad(TOKENS);
      await store.storeTokens(tokens);
      const pools = new Map(tokens.map(({ mint }) => [mint, firstPool()]));
      await seedTriggers(database, Number(count));
      const before = memory();
      const triggers = await triggersOn(world, { loadPools: loaderOf(world, pools) });
      const bytesPerTrigger = Math.round((memory() - before) / triggers.index.size);
      const ingest = await measureIngest(store, triggers, pools);
      const sending = await measureSending(world, triggers, Number(orders));
      const ok = ingest.timesWithout <= 1.3 && sending.timesPlainP99 <= 2;
      return { triggers: triggers.index.size, bytesPerTrigger, ...ingest, ...sending, ok };
    } finally {
      await world.close();
    }
  });
}

/**
 * Limits of all units on every token, 25 to 85 % below and above the first price, where the load does not come. Made by the database
 * itself, in seconds.
 */
async function seedTriggers(database: Database, count: number): Promise<void> {
  const userId = randomUUID();
  const bookId = randomUUID();
  const trader = { userId, walletId: randomUUID(), address: `Trader${userId}`, sealedKey: '', bookId };
  await insertTraders(database, [trader as never], SOL);
  await database.write(
    `insert into order_trigger (id, user_id, book_id, book_kind, mint, kind, side, state, level, amount, slippage_bps, created_at)
     select gen_random_uuid(), $1, $2, 'personal', t.mint, 'limit', 'buy', 'open',
       jsonb_build_object('unit', (array['sol', 'usd', 'market-cap'])[1 + n % 3],
         'when', case when n % 2 = 0 then 'below' else 'above' end,
         'value', trunc((array[1e11, 1.5e13, 1.5e22])[1 + n % 3]
           * case when n % 2 = 0 then 0.75 - (n % 600) / 1000.0 else 1.25 + (n % 600) / 1000.0 end)::text),
       '{"unit": "sol", "value": "10000000"}', 500, now()
     from generate_series(1, $3::int) n
     join (select mint, (row_number() over (order by id) - 1)::int as place from token limit $4) t on t.place = n % $4`,
    [userId, bookId, count, TOKENS],
  );
  await database.write(`analyze order_trigger`);
}

function loaderOf(world: TradingWorld, pools: ReadonlyMap<string, Pool>): TestTriggers['loadPools'] {
  const { venue, pools: cache, tokens } = world;
  const fromVenue = poolLoader({ venue, pools: cache, tokens } as never);
  return async (mints) => {
    const strange = mints.filter((mint) => !pools.has(mint));
    const found = new Map(strange.length > 0 ? await fromVenue(strange) : []);
    for (const mint of mints) if (pools.has(mint)) found.set(mint, { pool: pools.get(mint)!, isGuess: false });
    return found;
  };
}

async function measureIngest(store: MarketStore, { loop }: TestTriggers, pools: Map<string, Pool>) {
  let isWatching = false;
  store.onTrades((trades) => {
    for (const trade of trades) pools.set(trade.mint, poolAfter(pools.get(trade.mint)!, trade));
    if (isWatching) loop.tradesStored(trades);
  });
  const tokens = tokensForLoad(TOKENS);
  // The first look at each token puts its levels in order, which a start does once.
  for (const { mint } of tokens) loop.look(mint);
  await loop.pass();
  const withMs: number[] = [];
  const withoutMs: number[] = [];
  let place = 0;
  for (const batch of chunksOf(tradesForLoad(tokens, BATCH * BATCHES, WALLETS), BATCH)) {
    isWatching = place % 2 === 1;
    place += 1;
    const startedMs = performance.now();
    await store.storeTrades(batch, 'bench', {});
    if (isWatching) await loop.pass();
    (isWatching ? withMs : withoutMs).push(performance.now() - startedMs);
  }
  return {
    batchMsWith: Math.round(median(withMs)),
    batchMsWithout: Math.round(median(withoutMs)),
    timesWithout: Math.round((median(withMs) / median(withoutMs)) * 100) / 100,
    timesBar: 1.3,
  };
}

/** At 0.0000001 SOL, 0.000015 dollars and 15,000 dollars for the supply. */
function firstPool(): Pool {
  return {
    solReserve: lamports(100n * SOL),
    tokenReserve: baseUnits(10n ** 15n),
    virtualSol: lamports(0n),
    virtualTokens: baseUnits(0n),
    feeBps: 50n,
  };
}

/** Along its curve, by at most a hundredth of its reserve, and back where it has gone far. */
function poolAfter(pool: Pool, { isBuy: wantsToBuy, lamports: wanted }: StoredTrade): Pool {
  const moved = smaller(wanted, pool.solReserve / 100n);
  const isBuy = pool.solReserve < 92n * SOL || (pool.solReserve < 108n * SOL && wantsToBuy);
  const solReserve = isBuy ? pool.solReserve + moved : pool.solReserve - moved;
  const tokenReserve = (pool.solReserve * pool.tokenReserve) / solReserve;
  return { ...pool, solReserve: lamports(solReserve), tokenReserve: baseUnits(tokenReserve) };
}

/** From the call, and from the stored change, to the transaction that leaves. */
async function measureSending(world: TradingWorld, triggers: TestTriggers, count: number) {
  const [trader] = await world.traders(1, 50n * SOL);
  const { userId, bookId } = trader!;
  const own = { userId, bookId, mint: world.mint, slippageBps: 2_000 };
  await world.engine.placeOrder(
    { ...own, side: 'buy', amountIn: lamports(20n * SOL), kind: 'trade' },
    { waitMs: 60_000 },
  );
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
  const change = { mint: world.mint, isBuy: true, wallet: '', atMs: 0 } as Partial<StoredTrade> as StoredTrade;
  for (let turn = 0; turn < count; turn += 1) {
    const startedMs = performance.now();
    const order = world.engine.placeOrder({
      ...own,
      side: 'sell',
      amountIn: lamports(1_000_000n),
      kind: 'close',
      fit: true,
    });
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
    const pass = triggers.loop.pass();
    fired.push(await sent(changedMs));
    await pass;
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
