import { lamports } from '@hunter/domain/numbers/lamports';
import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../platform/clock-for-test.ts';
import { createLog } from '../platform/log.ts';
import type { Database } from '../platform/postgres.ts';
import { useTestDatabase } from '../platform/postgres-for-test.ts';
import type { EnginePorts, SwapToSign } from './engine-ports.ts';
import { FAKE_MINT, FakeChain, NO_FAULTS } from './fake-chain-for-test.ts';
import { StillDatabase } from './forks-for-test.ts';
import { loadOrders } from './order-store.ts';
import { OrderEngine } from './order-engine.ts';
import { insertTraders, newTrader } from './world-for-test.ts';

const DEPOSIT = 1_000_000_000n;

let database: Database;
useTestDatabase((opened) => {
  database = opened;
});

/** So many orders that hold their money and were never signed: their process has died. Engines that go on tell what they have signed. */
async function leftBehind(count: number, isAsked: (swaps: readonly SwapToSign[]) => Promise<void>) {
  const clock = new VirtualClock();
  const chain = new FakeChain(clock, () => 0.5, NO_FAULTS);
  const ports: EnginePorts = {
    database: new StillDatabase(database, clock),
    venue: chain,
    chain,
    signer: {
      signSwaps: async (swaps) => {
        await isAsked(swaps);
        return chain.signSwaps(swaps);
      },
    },
    tokens: chain,
    clock,
    log: createLog('silent'),
    requireNotFrozen: async () => {},
    followKey: () => new Uint8Array(32),
    onSettled: () => {},
  };
  const traders = Array.from({ length: count }, newTrader);
  await insertTraders(database, traders, DEPOSIT);
  for (const { address } of traders) chain.wallets.set(address, { lamports: DEPOSIT, tokens: null });
  const dying = new OrderEngine({ ...ports, signer: { signSwaps: () => Promise.reject(new Error('it dies here')) } });
  const placed = await Promise.all(
    traders.map(({ userId, bookId }) =>
      dying.placeOrder(
        {
          userId,
          bookId,
          mint: FAKE_MINT,
          side: 'buy',
          amountIn: lamports(100_000_000n),
          slippageBps: 500,
          kind: 'trade',
        },
        { waitMs: 0 },
      ),
    ),
  );
  const ids = placed.map(({ id }) => id);
  const states = async (): Promise<string[]> => [
    ...new Set((await loadOrders(database, ids)).map(({ state }) => state)),
  ];
  return { clock, ids, states, engine: () => new OrderEngine(ports) };
}

describe('orders that a crash left without a signature', () => {
  it('are signed once each, however many engines find them', async () => {
    let signed = 0;
    const left = await leftBehind(40, async (swaps) => {
      signed += swaps.length;
    });
    expect(await left.states()).toEqual(['held']);
    const engines = [left.engine(), left.engine(), left.engine()];
    await Promise.all(engines.map((engine) => engine.recover()));
    for (const engine of engines) await engine.stop(0);
    expect(await left.states()).toEqual(['confirmed']);
    expect(signed).toBe(40);
    left.clock.close();
  });

  it('wait ten seconds for an engine that has taken them and hangs, and are then carried on by another', async () => {
    let hangs = true;
    const left = await leftBehind(3, () => (hangs ? new Promise(() => {}) : Promise.resolve()));
    void left.engine().recover();
    await left.clock.pause(100);
    hangs = false;
    const other = left.engine();
    void other.recover();
    await left.clock.pause(5_000);
    expect(await left.states()).toEqual(['held']);
    await left.clock.pause(30_000);
    await other.stop(0);
    expect(await left.states()).not.toContain('held');
    left.clock.close();
  });
});
