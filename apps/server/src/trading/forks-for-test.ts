// Trades on a simulated chain that can take them back, in simulated time.

import { VirtualClock } from '../platform/clock-for-test.ts';
import { createLog } from '../platform/log.ts';
import { Database, type Row, type Transaction } from '../platform/postgres.ts';
import { FakeChain, NO_FAULTS } from './fake-chain-for-test.ts';
import type { Order } from './order.ts';
import { OrderEngine } from './order-engine.ts';
import { insertTraders, newTrader, type Trader } from './world-for-test.ts';

export const FORK_DEPOSIT = 2_000_000_000n;

/** Simulated time stands still while the database works. */
export class StillDatabase extends Database {
  readonly #inner: Database;
  readonly #clock: VirtualClock;
  constructor(inner: Database, clock: VirtualClock) {
    super('postgres://nowhere', createLog('silent'));
    this.#inner = inner;
    this.#clock = clock;
  }
  override query<R extends Row = Row>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    return this.#clock.still(() => this.#inner.query<R>(text, values));
  }
  override transaction<T>(work: (sql: Transaction) => Promise<T>): Promise<T> {
    return this.#clock.still(() => this.#inner.transaction(work));
  }
}

export type ForkWorld = {
  clock: VirtualClock;
  chain: FakeChain;
  database: Database;
  engine: OrderEngine;
  trader: Trader;
  settled: Order[];
  /** A fork takes it back, and from there everything comes to its end; nothing is final before. */
  fork: (order: Pick<Order, 'signature'>, options?: Parameters<FakeChain['fork']>[1]) => Promise<void>;
  /** The same, and the venue cannot be reached while its bytes are valid. */
  drop: ForkWorld['fork'];
  close(): Promise<void>;
};

export async function startForkWorld(inner: Database): Promise<ForkWorld> {
  const clock = new VirtualClock();
  const chain = new FakeChain(clock, () => 0.5, NO_FAULTS);
  const database = new StillDatabase(inner, clock);
  const settled: Order[] = [];
  const engine = new OrderEngine({
    database,
    venue: chain,
    chain,
    signer: chain,
    tokens: chain,
    clock,
    log: createLog('silent'),
    requireNotFrozen: async () => {},
    followKey: () => new Uint8Array(32),
    onSettled: (orders) => settled.push(...orders),
  });
  const trader = newTrader();
  await insertTraders(inner, [trader], FORK_DEPOSIT);
  chain.wallets.set(trader.address, { lamports: FORK_DEPOSIT, tokens: null });
  void engine.recover();
  // However long the test takes to look at an order: what is final cannot be taken back any more.
  chain.unfinalFrom = chain.slot;
  const fork: ForkWorld['fork'] = async ({ signature }, options) => {
    chain.fork(signature!, options);
    chain.unfinalFrom = null;
    await clock.pause(30_000);
    chain.unfinalFrom = chain.slot;
  };
  return {
    clock,
    chain,
    database,
    engine,
    trader,
    settled,
    fork,
    drop: async (order, options) => {
      chain.faults = { ...NO_FAULTS, requestLost: 1 };
      await fork(order, options);
      chain.faults = NO_FAULTS;
    },
    close: async () => {
      await engine.stop(0);
      clock.close();
    },
  };
}
