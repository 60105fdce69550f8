import { baseUnits } from '@hunter/domain/numbers/base-units';
import { lamports } from '@hunter/domain/numbers/lamports';
import { unitsIn } from '@hunter/domain/market/swap-maths';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Database } from '../platform/postgres.ts';
import { useTestDatabase } from '../platform/postgres-for-test.ts';
import { FAKE_MINT } from '../trading/fake-chain-for-test.ts';
import { startForkWorld, type ForkWorld } from '../trading/forks-for-test.ts';
import { PoolCache } from '../venue/pool-cache.ts';
import { loadMyTriggers } from './change-triggers.ts';
import { placeTriggers } from './place-triggers.ts';
import type { TriggerRequest } from './read-request.ts';
import { triggersOn, type TestTriggers } from './triggers-for-test.ts';

let inner: Database;
useTestDatabase((opened) => {
  inner = opened;
});

let world: ForkWorld;
beforeEach(async () => {
  world = await startForkWorld(inner);
});
afterEach(() => world.close());

/** At the price of the simulated chain, two lamports for a base unit. */
const pool = {
  solReserve: lamports(2n * 10n ** 15n),
  tokenReserve: baseUnits(10n ** 15n),
  virtualSol: lamports(0n),
  virtualTokens: baseUnits(0n),
  feeBps: 50n,
};

async function startTriggers(decimals: number): Promise<TestTriggers> {
  const { database, engine, chain, clock } = world;
  const load = async (mints: readonly (typeof FAKE_MINT)[]) =>
    new Map([...(await chain.load(mints))].map(([mint, fact]) => [mint, { ...fact, decimals }]));
  return triggersOn({ database, engine, venue: chain, tokens: { load }, pools: new PoolCache(chain) } as never, {
    trading: { clock },
    loadPools: async () => new Map([[FAKE_MINT, { pool, isGuess: false }]]),
  });
}

async function buy(): Promise<void> {
  const { userId, bookId } = world.trader;
  const amountIn = unitsIn('buy', 100_000_000n);
  await world.engine.placeOrder({
    userId,
    bookId,
    mint: FAKE_MINT,
    side: 'buy',
    amountIn,
    slippageBps: 500,
    kind: 'trade',
  });
}

const place = (triggers: TestTriggers, requests: TriggerRequest[]) =>
  placeTriggers(
    triggers,
    { tokenContractAddress: FAKE_MINT, triggers: requests },
    { key: randomUUID(), userId: world.trader.userId },
  );

async function passes(triggers: TestTriggers): Promise<void> {
  for (let each = 0; each < 5; each += 1) {
    triggers.loop.ordersSettled(world.settled.splice(0));
    await triggers.loop.pass();
    await world.clock.pause(300);
  }
}

async function endOf(triggers: TestTriggers, kind: string): Promise<string | null | undefined> {
  const page = { state: 'ended' as const, pageNo: 1, pageSize: 10 };
  const { lists } = await loadMyTriggers(triggers, world.trader.userId, page);
  return lists.find((row) => row.kind === kind)?.outcome;
}

it('fires a stop although another trigger beside it cannot be fired', async () => {
  const triggers = await startTriggers(6);
  await buy();
  const past: TriggerRequest = { kind: 'stop-loss', level: { unit: 'usd', value: '1000000' } };
  const broken: TriggerRequest = { kind: 'take-profit', level: { unit: 'usd', value: '0.000001' } };
  await place(triggers, [broken, past]);
  await world.database.write(`update order_trigger set slippage_bps = 0 where kind = 'take-profit'`, []);
  await passes(triggers);
  expect(await endOf(triggers, 'stop-loss')).toBe('filled');
});

it('fires a trigger on a token of as many decimals as its maker likes', async () => {
  const triggers = await startTriggers(100);
  await buy();
  await place(triggers, [{ kind: 'after-time', afterSeconds: 1 }]);
  await world.clock.pause(2_000);
  await passes(triggers);
  expect(await endOf(triggers, 'after-time')).toBe('filled');
});
