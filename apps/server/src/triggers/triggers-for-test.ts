import { lamports } from '@hunter/domain/numbers/lamports';
import { randomUUID } from 'node:crypto';
import { requireNotFrozen } from '../accounts/freeze.ts';
import { LiveBus } from '../platform/live-bus.ts';
import { takeLease } from '../platform/leases.ts';
import { createLog } from '../platform/log.ts';
import { systemClock } from '../platform/clock.ts';
import type { TradingWorld } from '../trading/world-for-test.ts';
import type { Trading } from '../trading/trading.ts';
import { poolLoader } from './create-triggers.ts';
import { TriggerIndex } from './trigger-index.ts';
import { TriggerLoop } from './trigger-loop.ts';
import type { TriggerMarket, Triggers } from './triggers.ts';

export type TestTriggers = Triggers & { loop: TriggerLoop };

type Overrides = {
  trading?: Partial<Trading>;
  market?: Partial<TriggerMarket>;
  loadPools?: Triggers['loadPools'];
};

/** The area on a real chain, as a server that has just taken the lease; passes are run by the test. */
export async function triggersOn(world: TradingWorld, overrides: Overrides = {}): Promise<TestTriggers> {
  const { database, engine, venue, tokens, pools } = world;
  const lease = await takeLease(database, 'test-server', randomUUID(), { durationMs: 60_000, isFormerOwnerGone: true });
  const trading: Trading = {
    database,
    engine,
    venue,
    tokens,
    pools,
    clock: systemClock,
    solUsd: () => '150',
    placeInStrategy: () => Promise.reject(new Error('there is no strategy in this test')),
    followersInput: async () => lamports(0n),
    ...overrides.trading,
  };
  const deps: Triggers = {
    trading,
    lease: () => lease!,
    requireNotFrozen,
    bus: new LiveBus(),
    log: createLog('warn'),
    index: new TriggerIndex(),
    loadPools: overrides.loadPools ?? poolLoader(trading),
    look: (mint) => loop.look(mint),
    market: {
      solUsdMicro: () => 150_000_000n,
      token: () => ({ decimals: 6, supply: 10n ** 15n, creator: null }),
      hasGraduated: () => null,
      lastSale: async () => null,
      ...overrides.market,
    },
  };
  const loop = new TriggerLoop(deps);
  await loop.load();
  return { ...deps, loop };
}
