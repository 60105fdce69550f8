import { unitsIn } from '@hunter/domain/market/swap-maths';
import { lamports } from '@hunter/domain/numbers/lamports';
import { heldTokens, positionAfter, FLAT, type Fill } from '@hunter/domain/record/position';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../scripts/database-for-test.ts';
import { loadCashOf } from '../ledger/balances.ts';
import { openBook } from '../ledger/books.ts';
import { postEntries, SOL, type Asset } from '../ledger/journal.ts';
import { positionOf, SELECT_POSITION, type PositionRow } from '../ledger/positions.ts';
import { insertWallet } from '../ledger/wallets.ts';
import { createLog } from '../platform/log.ts';
import { Database, type Row, type Transaction } from '../platform/postgres.ts';
import { FAKE_MINT, FakeChain, NO_FAULTS, seededRandom, type Faults, type Random } from './fake-chain-for-test.ts';
import { isSettled, SELL_ALL, type NewOrder, type OrderState } from './order.ts';
import { loadOrdersUnderWay } from './open-orders.ts';
import { OrderEngine } from './order-engine.ts';
import type { NewPart } from './rounds/round.ts';
import { insertTraders, type Trader } from './world-for-test.ts';
import type { Address } from '@hunter/solana/address';
import { encodeBase58 } from '@hunter/solana/base58';
import { VirtualClock } from '../platform/clock-for-test.ts';

const NOTHING = lamports(0n);

const SEEDS = Number(process.env['SIMULATION_SEEDS'] ?? 300);
const FIRST_SEED = Number(process.env['SIMULATION_FIRST_SEED'] ?? 1);
const PARALLEL = 3;
const LIVES = 3;
/** Most requests in one life of the process. */
const STEPS_MAX = 4;
const DEPOSIT = 2_000_000_000n;

let databases: { test: TestDatabase; database: Database }[] = [];
beforeAll(async () => {
  for (let index = 0; index < PARALLEL; index += 1) {
    const test = await createTestDatabase();
    databases.push({ test, database: new Database(test.url, createLog('silent'), { maxConnections: 4 }) });
  }
});
afterAll(async () => {
  for (const { test, database } of databases) {
    await database.close();
    await test.drop();
  }
  databases = [];
});

/** A process that can die: from its death on, every use of the database fails, before or after its effect. */
class MortalDatabase extends Database {
  readonly #inner: Database;
  readonly #clock: VirtualClock;
  readonly #random: Random;
  dead = false;
  #untilDeath: number;

  constructor(inner: Database, clock: VirtualClock, random: Random, untilDeath: number) {
    super('postgres://nowhere', createLog('silent'));
    this.#inner = inner;
    this.#clock = clock;
    this.#random = random;
    this.#untilDeath = untilDeath;
  }

  override query<R extends Row = Row>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    return this.#mortally(() => this.#inner.query<R>(text, values));
  }

  override transaction<T>(work: (sql: Transaction) => Promise<T>): Promise<T> {
    return this.#mortally(() => this.#inner.transaction(work));
  }

  async #mortally<T>(run: () => Promise<T>): Promise<T> {
    if (this.dead) return new Promise(() => {});
    this.#untilDeath -= 1;
    const dies = this.#untilDeath <= 0;
    // Killed before the statement reached the database, or before its answer came back.
    if (dies) this.dead = true;
    if (dies && this.#random() < 0.5) return new Promise(() => {});
    await this.#clock.pause(this.#latencyMs());
    const done = this.#clock.still(run);
    await done.catch(() => {});
    await this.#clock.pause(this.#latencyMs());
    return this.dead ? new Promise(() => {}) : done;
  }

  /** Mostly quick, now and then so slow that a transaction expires meanwhile. */
  #latencyMs(): number {
    const kind = this.#random();
    return Math.floor(this.#random() * (kind < 0.8 ? 60 : kind < 0.97 ? 600 : 6_000));
  }
}

function faultsOf(random: Random): Faults {
  const harsh = random();
  const chance = (most: number) => random() * most * harsh;
  return {
    requestLost: chance(0.3),
    answerLost: chance(0.4),
    late: chance(0.4),
    refused: chance(0.3),
    failsOnChain: chance(0.3),
    statusLost: chance(0.4),
    statusBehind: chance(0.5),
    transactionHidden: chance(0.3),
    forked: chance(0.4),
  };
}

/** What happened, short enough to compare: a seed must give the same run again. */
type Trace = { elapsedMs: number; landed: string[]; orders: number };

async function simulate(seed: number, database: Database): Promise<Trace> {
  const random = seededRandom(seed);
  const clock = new VirtualClock();
  const chain = new FakeChain(clock, random, faultsOf(random));
  const bytes = (count: number) => Uint8Array.from({ length: count }, () => Math.floor(random() * 256));
  const uuid = () => {
    const hex = Buffer.from(bytes(16)).toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
  };
  try {
    const traders = Array.from({ length: 4 }, (): Trader => ({
      userId: uuid(),
      walletId: uuid(),
      address: encodeBase58(bytes(32)) as Address,
      sealedKey: '',
      bookId: uuid(),
    }));
    await insertTraders(database, traders, DEPOSIT);
    for (const trader of traders) {
      chain.wallets.set(trader.address, { lamports: DEPOSIT, tokens: null });
      chain.forkable.add(trader.address);
    }
    const strategy = await openStrategyWallet(database, chain, traders[0]!, uuid);
    let lane: Promise<unknown> = Promise.resolve();
    const round = (engine: OrderEngine, mortal: Database) => {
      const side = random() < 0.6 ? 'buy' : 'sell';
      const amounts = strategy.bookIds.map(() => BigInt(Math.floor(random() * 3e7)) + 1_000_000n);
      const id = uuid();
      lane = lane.then(() => tradeRound(engine, mortal, clock, { id, side, amounts, strategy })).catch(() => {});
      return lane;
    };
    const start = (untilDeath: number) => {
      const mortal = new MortalDatabase(database, clock, random, untilDeath);
      const engine = new OrderEngine({
        database: mortal,
        venue: chain,
        chain,
        signer: chain,
        tokens: chain,
        clock,
        log: createLog('silent'),
        requireNotFrozen: async () => {},
        followKey: () => new Uint8Array(32),
        onSettled: () => {},
      });
      return { engine, mortal };
    };
    let orders = 0;
    const order = (): NewOrder => {
      const trader = traders[Math.floor(random() * traders.length)]!;
      const side = random() < 0.6 ? 'buy' : 'sell';
      const amountIn = side === 'buy' ? lamports(BigInt(Math.floor(random() * 6e8)) + 1_000_000n) : SELL_ALL;
      const { userId, bookId } = trader;
      const fit = side === 'sell' || random() < 0.3;
      orders += 1;
      return { id: uuid(), userId, bookId, mint: FAKE_MINT, side, amountIn, slippageBps: 200, kind: 'trade', fit };
    };
    for (let life = 0; life < LIVES; life += 1) {
      const lastLife = life === LIVES - 1;
      // What a dead process waited for never comes.
      lane = Promise.resolve();
      const { engine, mortal } = start(lastLife ? Infinity : 3 + Math.floor(random() * 60));
      void engine.recover().catch(() => {});
      const work: Promise<unknown>[] = [];
      const steps = 1 + Math.floor(random() * STEPS_MAX);
      for (let step = 0; step < steps; step += 1) {
        if (random() < 0.3) {
          orders += 1;
          work.push(round(engine, mortal));
        } else {
          const wanted = order();
          work.push(engine.placeOrder(wanted, { waitMs: 2_000 }).catch(() => {}));
          // A caller who heard nothing asks again with the same id.
          if (random() < 0.3) work.push(engine.placeOrder(wanted, { waitMs: 2_000 }).catch(() => {}));
        }
        await clock.pause(Math.floor(random() * 1_500));
      }
      await Promise.race([Promise.all(work), clock.pause(8_000)]);
      if (lastLife) {
        // The network works again, and every caller has his answer before the books are looked at.
        chain.faults = NO_FAULTS;
        await Promise.all(work);
        await settleAll(database, clock);
      }
      mortal.dead = true;
      void engine.stop(0);
    }
    await checkBooks(database, chain, traders, strategy);
    return { elapsedMs: clock.elapsedMs(), landed: [...chain.landed.keys()], orders };
  } finally {
    clock.close();
  }
}

/** With a network that works, everything must come to an end and become final. */
async function settleAll(database: Database, clock: VirtualClock): Promise<void> {
  const open = () =>
    clock.still(() =>
      database.query(
        `select o.id, o.state, o.attempts, o.error, t.state as transaction
         from trade_order o left join signed_transaction t on t.intent_id = o.id::text and t.state in ('sent', 'landed')
         where o.state in ('held', 'sent', 'confirmed') or t.state is not null limit 5`,
      ),
    );
  for (let look = 0; look < 60; look += 1) {
    await clock.pause(5_000);
    if ((await open()).length === 0) return;
  }
  throw new Error(`orders never ended: ${JSON.stringify(await open())}`);
}

type StrategyWallet = Trader & { bookIds: string[] };

/** A wallet with four books, as a strategy's: the creator's and those of three followers. */
async function openStrategyWallet(
  database: Database,
  chain: FakeChain,
  creator: Trader,
  uuid: () => string,
): Promise<StrategyWallet> {
  const bookIds = [uuid(), uuid(), uuid(), uuid()];
  const walletId = uuid();
  const address = encodeBase58(Buffer.from(`${uuid()}${uuid()}`).subarray(0, 32)) as Address;
  await database.transaction(async (sql) => {
    await insertWallet(sql, { id: walletId, userId: creator.userId, kind: 'strategy', address, sealedKey: '' });
    for (const [index, id] of bookIds.entries()) {
      const kind = index === 0 ? 'strategy' : 'follow';
      await openBook(sql, { id, userId: creator.userId, walletId, kind, name: 'Simulated' });
    }
    await postEntries(
      sql,
      bookIds.map((bookId) => ({
        kind: 'deposit',
        reference: `simulated:${bookId}`,
        postings: [
          { bookId, account: 'cash', asset: SOL, amount: DEPOSIT },
          { bookId: null, account: 'chain', asset: SOL, amount: -DEPOSIT },
        ],
      })),
    );
  });
  chain.wallets.set(address, { lamports: DEPOSIT * BigInt(bookIds.length), tokens: null });
  return { ...creator, walletId, address, bookId: bookIds[0]!, bookIds };
}

/** One swap of the wallet at a time, as the lane of a strategy sees to. */
async function tradeRound(
  engine: OrderEngine,
  database: Database,
  clock: VirtualClock,
  wanted: { id: string; side: 'buy' | 'sell'; amounts: bigint[]; strategy: StrategyWallet },
): Promise<void> {
  const { id, side, strategy } = wanted;
  const now = new Date(clock.nowMs());
  const held = await database.transaction(async (sql) => {
    if ((await loadOrdersUnderWay(sql, strategy.walletId)).length > 0) return null;
    const tokens = await loadCashOf(sql, strategy.bookIds, FAKE_MINT);
    const parts = strategy.bookIds.flatMap((bookId, index): NewPart[] => {
      const raw = side === 'buy' ? wanted.amounts[index]! : (tokens.get(bookId) ?? 0n) / BigInt(index + 1);
      const amountIn = unitsIn(side, raw);
      const limits = {
        wantedIn: amountIn,
        limitedBy: null,
        runUpLamports: NOTHING,
        costLamports: NOTHING,
        reason: null,
      };
      const followId = index === 0 ? null : bookId;
      return amountIn === 0n
        ? []
        : [{ bookId, userId: strategy.userId, followId, amountIn, freeLamports: NOTHING, ...limits }];
    });
    if (parts.length === 0) return null;
    const { walletId, userId, bookId } = strategy;
    const round = { id, walletId, userId, bookId, kind: 'trade', side, mint: FAKE_MINT, slippageBps: 200 } as const;
    return engine.placeRound(sql, { ...round, parts }, now);
  });
  if (held !== null) await engine.execute(held, 2_000);
}

async function checkBooks(
  database: Database,
  chain: FakeChain,
  traders: readonly Trader[],
  strategy: StrategyWallet,
): Promise<void> {
  await checkNothingUnposted(database, chain);
  const wallets = [...traders.map((trader) => ({ ...trader, bookIds: [trader.bookId] })), strategy];
  const books = [wallets.flatMap(({ bookIds }) => bookIds)];
  const balances = await database.query<BalanceRow>(
    `select book_id as "bookId", asset, account, amount from balance where book_id = any($1::uuid[])`,
    books,
  );
  const fills = await database.query<FillRow>(
    `select book_id as "bookId", kind, tokens, lamports, fee_lamports as fee from standing_fill
     where book_id = any($1::uuid[]) order by place, id`,
    books,
  );
  const positions = await database.query<PositionRow>(`${SELECT_POSITION} where p.book_id = any($1::uuid[])`, books);
  for (const { address, bookIds } of wallets) {
    const wallet = chain.wallets.get(address)!;
    const of = (asset: Asset, account: string) =>
      balances
        .filter((row) => bookIds.includes(row.bookId) && row.asset === asset && row.account === account)
        .reduce((sum, row) => sum + row.amount, 0n);
    expect(of('SOL', 'held') + of(FAKE_MINT, 'held')).toBe(0n);
    expect(of('SOL', 'cash')).toBe(wallet.lamports);
    expect(of(FAKE_MINT, 'cash')).toBe(wallet.tokens ?? 0n);
    expect(of('SOL', 'rent')).toBe(wallet.tokens === null ? 0n : 2_039_280n);
    let held = 0n;
    for (const bookId of bookIds) {
      // What is kept up to date fill by fill equals what the fills give from the start.
      const recomputed = fills
        .filter((row) => row.bookId === bookId)
        .reduce((position, row) => positionAfter(position, { ...row, feeLamports: row.fee } as unknown as Fill), FLAT);
      const position = positions.find((row) => row.bookId === bookId);
      expect(position ? positionOf(position) : FLAT).toEqual(recomputed);
      held += heldTokens(recomputed);
      // Realized profit and cost together are exactly what the book has paid.
      const lamports = balances
        .filter((row) => row.bookId === bookId && row.asset === 'SOL')
        .reduce((sum, row) => sum + row.amount, 0n);
      expect(lamports - DEPOSIT).toBe(recomputed.realizedLamports - recomputed.costLamports);
    }
    expect(held).toBe(wallet.tokens ?? 0n);
  }
  const attempts = await database.query<{ orderId: string; signature: string; state: string; orderState: OrderState }>(
    `select o.id as "orderId", t.signature, t.state, o.state as "orderState"
     from signed_transaction t join trade_order o on o.id::text = t.intent_id where o.book_id = any($1::uuid[])`,
    books,
  );
  const executed = attempts.filter((row) => chain.landed.get(row.signature)?.transaction.err === null);
  expect(new Set(executed.map((row) => row.orderId)).size, 'no order executed twice').toBe(executed.length);
  expect(chain.landed.size, 'every transaction on chain is ours').toBe(
    attempts.filter((row) => chain.landed.has(row.signature)).length,
  );
  expect(attempts.every((row) => isSettled(row.orderState))).toBe(true);
}

type BalanceRow = { bookId: string; asset: Asset; account: string; amount: bigint };
type FillRow = { bookId: string; kind: Fill['kind']; tokens: bigint; lamports: bigint; fee: bigint };

/** Named first, because it tells what went wrong: a transaction the chain has and the books do not. */
async function checkNothingUnposted(database: Database, chain: FakeChain): Promise<void> {
  const rows = await database.query(
    `select o.id, t.attempt, t.state, t.signature, o.state as order_state, o.error, o.kind, o.attempts
     from signed_transaction t join trade_order o on o.id::text = t.intent_id
     where t.signature = any($1::text[]) and t.state not in ('finalized', 'failed')`,
    [[...chain.landed.keys()]],
  );
  expect(rows).toEqual([]);
}

async function replayable(seed: number, database: Database): Promise<Trace> {
  try {
    return await simulate(seed, database);
  } catch (cause) {
    const how = `repeat it with SIMULATION_FIRST_SEED=${seed} SIMULATION_SEEDS=1`;
    throw new Error(`seed ${seed} failed; ${how}`, { cause });
  }
}

describe('the order engine in a world that loses, delays, repeats and dies', () => {
  it(
    `keeps books equal to the chain and executes nothing twice, over ${SEEDS} seeds`,
    { timeout: 1_800_000 },
    async () => {
      const queue = Array.from({ length: SEEDS }, (_, index) => FIRST_SEED + index).values();
      const traces: Trace[] = [];
      await Promise.all(
        databases.map(async ({ database }) => {
          for (const seed of queue) traces.push(await replayable(seed, database));
        }),
      );
      expect(traces.some(({ landed }) => landed.length > 0)).toBe(true);
    },
  );

  it('runs the same way again from the same seed', async () => {
    // A world of its own each time: the rows of the first run carry the ids of the second.
    const again = await createTestDatabase();
    const database = new Database(again.url, createLog('silent'), { maxConnections: 4 });
    try {
      const seed = FIRST_SEED + SEEDS;
      const first = await replayable(seed, databases[0]!.database);
      const second = await replayable(seed, database);
      expect(second).toEqual(first);
    } finally {
      await database.close();
      await again.drop();
    }
  });
});
