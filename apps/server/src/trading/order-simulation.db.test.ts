import { randomUUID } from 'node:crypto';
import { heldTokens, positionAfter, FLAT, type Fill } from '@hunter/domain/position';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../scripts/database-for-test.ts';
import { positionOf, SELECT_POSITION, type PositionRow } from '../ledger/positions.ts';
import { createLog } from '../platform/log.ts';
import { Database, type Row, type Transaction } from '../platform/postgres.ts';
import { FAKE_MINT, FakeChain, NO_FAULTS, seededRandom, type Faults, type Random } from './fake-chain-for-test.ts';
import { isSettled, SELL_ALL, type NewOrder } from './order.ts';
import { OrderEngine } from './order-engine.ts';
import { insertTraders, type Trader } from './world-for-test.ts';
import type { Address } from '@hunter/solana/address';
import { encodeBase58 } from '@hunter/solana/base58';
import { randomBytes } from 'node:crypto';

const SEEDS = Number(process.env['SIMULATION_SEEDS'] ?? 24);
const FIRST_SEED = Number(process.env['SIMULATION_FIRST_SEED'] ?? 1);
const PARALLEL = 3;
const DEPOSIT = 2_000_000_000n;

let databases: { test: TestDatabase; database: Database }[] = [];
beforeAll(async () => {
  for (let index = 0; index < PARALLEL; index += 1) {
    const test = await createTestDatabase();
    databases.push({ test, database: new Database(test.url, createLog('silent')) });
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
  readonly #random: Random;
  dead = false;
  #untilDeath: number;

  constructor(inner: Database, random: Random, untilDeath: number) {
    super('postgres://nowhere', createLog('silent'));
    this.#inner = inner;
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
    if (this.#untilDeath > 0) return run();
    this.dead = true;
    // Killed before the statement reached the database, or before its answer came back.
    if (this.#random() < 0.5) await run().catch(() => {});
    return new Promise(() => {});
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
  };
}

async function simulate(seed: number, database: Database): Promise<void> {
  const random = seededRandom(seed);
  const chain = new FakeChain(random, faultsOf(random));
  try {
    const traders = Array.from({ length: 4 }, (): Trader => ({
      userId: randomUUID(),
      walletId: randomUUID(),
      address: encodeBase58(randomBytes(32)) as Address,
      envelope: '',
      bookId: randomUUID(),
    }));
    await insertTraders(database, traders, DEPOSIT);
    for (const trader of traders) chain.wallets.set(trader.address, { lamports: DEPOSIT, tokens: null });
    const start = (untilDeath: number) => {
      const mortal = new MortalDatabase(database, random, untilDeath);
      const engine = new OrderEngine({
        database: mortal,
        venue: chain,
        chain,
        signer: chain,
        tokens: chain,
        pacer: chain,
        log: createLog('silent'),
        onSettled: () => {},
      });
      return { engine, mortal };
    };
    for (let life = 0; life < 3; life += 1) {
      const lastLife = life === 2;
      const { engine, mortal } = start(lastLife ? Infinity : 3 + Math.floor(random() * 60));
      void engine.recover().catch(() => {});
      const work: Promise<unknown>[] = [];
      for (let step = 0; step < 5; step += 1) {
        const order = (): NewOrder => {
          const trader = traders[Math.floor(random() * traders.length)]!;
          const side = random() < 0.6 ? 'buy' : 'sell';
          const amountIn = side === 'buy' ? BigInt(Math.floor(random() * 6e8)) + 1_000_000n : SELL_ALL;
          const { userId, bookId } = trader;
          const fit = side === 'sell' || random() < 0.3;
          return {
            id: randomUUID(),
            userId,
            bookId,
            mint: FAKE_MINT,
            side,
            amountIn,
            slippageBps: 200,
            kind: 'trade',
            fit,
          };
        };
        if (random() < 0.3) {
          const lead = { ...order(), side: 'buy' as const, amountIn: 50_000_000n };
          const copies = traders.map((trader) => ({
            ...lead,
            ...trader,
            id: randomUUID(),
            kind: 'copy' as const,
            fit: true,
          }));
          work.push(engine.placeRound({ lead, copies, slippageBps: 200 }, { waitMs: 2_000 }).catch(() => {}));
        } else {
          const wanted = order();
          work.push(engine.placeOrder(wanted, { waitMs: 2_000 }).catch(() => {}));
          // A caller who heard nothing asks again with the same id.
          if (random() < 0.3) work.push(engine.placeOrder(wanted, { waitMs: 2_000 }).catch(() => {}));
        }
        await chain.pause(Math.floor(random() * 1_500));
      }
      await Promise.race([Promise.all(work), chain.pause(8_000)]);
      if (lastLife) {
        // The network works again, and every caller has his answer before the books are looked at.
        chain.faults = NO_FAULTS;
        await Promise.all(work);
        await settleAll(database, chain);
      }
      mortal.dead = true;
      void engine.stop(0);
    }
    await checkBooks(database, chain, traders);
  } finally {
    chain.close();
  }
}

/** With a network that works, everything must come to an end. */
async function settleAll(database: Database, chain: FakeChain): Promise<void> {
  for (let look = 0; look < 400; look += 1) {
    const open = await database.query(`select 1 from trade_order where state in ('held', 'sent') limit 1`);
    if (open.length === 0) return;
    await chain.pause(500);
  }
  const stuck = await database.query(
    `select id, state, attempts, error from trade_order where state in ('held', 'sent')`,
  );
  throw new Error(`orders never ended: ${JSON.stringify(stuck)}`);
}

async function checkBooks(database: Database, chain: FakeChain, traders: readonly Trader[]): Promise<void> {
  await checkNothingUnposted(database, chain);
  for (const trader of traders) {
    const wallet = chain.wallets.get(trader.address)!;
    const rows = await database.query<{ asset: string; account: string; amount: bigint }>(
      `select asset, account, amount from balance where book_id = $1 and amount > 0`,
      [trader.bookId],
    );
    const of = (asset: string, account: string) =>
      rows.find((row) => row.asset === asset && row.account === account)?.amount ?? 0n;
    expect(of('SOL', 'held') + of(FAKE_MINT, 'held')).toBe(0n);
    expect(of('SOL', 'cash')).toBe(wallet.lamports);
    expect(of(FAKE_MINT, 'cash')).toBe(wallet.tokens ?? 0n);
    expect(of('SOL', 'rent')).toBe(wallet.tokens === null ? 0n : 2_039_280n);
    await checkPosition(database, trader, wallet.tokens ?? 0n);
  }
  const attempts = await database.query<{ orderId: string; signature: string; state: string }>(
    `select order_id as "orderId", a.signature, a.state from order_attempt a join trade_order o on o.id = a.order_id
     where o.user_id = any($1::uuid[])`,
    [traders.map((trader) => trader.userId)],
  );
  const executed = attempts.filter((row) => chain.landed.get(row.signature)?.transaction.err === null);
  expect(new Set(executed.map((row) => row.orderId)).size, 'no order executed twice').toBe(executed.length);
  expect(chain.landed.size, 'every transaction on chain is ours').toBe(
    attempts.filter((row) => chain.landed.has(row.signature)).length,
  );
  const orders = await database.query<{ state: 'held' | 'dead' }>(`select state from trade_order where user_id = $1`, [
    traders[0]!.userId,
  ]);
  expect(orders.every((order) => isSettled(order.state))).toBe(true);
}

/** Named first, because it tells what went wrong: a transaction the chain has and the books do not. */
async function checkNothingUnposted(database: Database, chain: FakeChain): Promise<void> {
  const rows = await database.query(
    `select a.order_id, a.attempt, a.state, a.signature, o.state as order_state, o.error, o.kind, o.attempts
     from order_attempt a join trade_order o on o.id = a.order_id
     where a.signature = any($1::text[]) and a.state not in ('landed', 'failed')`,
    [[...chain.landed.keys()]],
  );
  expect(rows).toEqual([]);
}

/** What is kept up to date fill by fill equals what the fills give from the start. */
async function checkPosition(database: Database, trader: Trader, tokens: bigint): Promise<void> {
  const fills = await database.query<{ kind: Fill['kind']; tokens: bigint; lamports: bigint; fee: bigint }>(
    `select kind, tokens, lamports, fee_lamports as fee from fill where book_id = $1 order by id`,
    [trader.bookId],
  );
  const recomputed = fills.reduce(
    (position, row) => positionAfter(position, { ...row, feeLamports: row.fee } as Fill),
    FLAT,
  );
  const rows = await database.query<PositionRow>(`${SELECT_POSITION} where p.book_id = $1`, [trader.bookId]);
  expect(rows[0] ? positionOf(rows[0]) : FLAT).toEqual(recomputed);
  expect(heldTokens(recomputed)).toBe(tokens);
  // Realised profit and cost together are exactly what the wallet has paid.
  const [cash] = await database.query<{ amount: bigint }>(
    `select coalesce(sum(amount), 0)::numeric(40, 0) as amount from balance where book_id = $1 and asset = 'SOL'`,
    [trader.bookId],
  );
  expect(cash!.amount - DEPOSIT).toBe(recomputed.realisedLamports - recomputed.costLamports);
}

describe('the order engine in a world that loses, delays, repeats and dies', () => {
  it(
    `keeps books equal to the chain and executes nothing twice, over ${SEEDS} seeds`,
    { timeout: 600_000 },
    async () => {
      const queue = Array.from({ length: SEEDS }, (_, index) => FIRST_SEED + index).values();
      await Promise.all(
        databases.map(async ({ database }) => {
          for (const seed of queue) {
            await simulate(seed, database).catch((cause: unknown) => {
              throw new Error(`seed ${seed} failed; repeat it with SIMULATION_FIRST_SEED=${seed} SIMULATION_SEEDS=1`, {
                cause,
              });
            });
          }
        }),
      );
    },
  );
});
