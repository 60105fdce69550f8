import type { Clock } from '../platform/clock.ts';
import type { LiveBus } from '../platform/live-bus.ts';
import type { Log } from '../platform/log.ts';
import type { Trading } from '../trading/trading.ts';
import { StrategyLifecycle } from './lifecycle.ts';
import { PricedPools } from '../trading/priced-pools.ts';
import { SharedWork } from './shared-work.ts';
import type { Strategies } from './strategies.ts';
import { OwnsAllLanes, StrategyLanes, type LaneOwners } from './strategy-lanes.ts';

export type StrategyDeps = {
  trading: Pick<Trading, 'database' | 'engine' | 'pools' | 'tokens'>;
  clock: Clock;
  bus: LiveBus;
  log: Log;
  /** Without it this is the only process. */
  laneOwners?: LaneOwners | undefined;
} & Pick<
  Strategies,
  'transfers' | 'createWallet' | 'coinFacts' | 'boughtLately' | 'loadUnrecorded' | 'balanceChanged' | 'creatorBought'
>;

/** Puts the strategies together; `start` carries on what an earlier process left open and then keeps watch. */
export function createStrategies(deps: StrategyDeps): Strategies & { start(): void; stop(): Promise<void> } {
  const { trading, laneOwners, ...rest } = deps;
  const { database, engine, pools, tokens } = trading;
  const strategies: Strategies = {
    ...rest,
    database,
    engine,
    pools: new PricedPools(pools, tokens),
    tokens,
    lanes: new StrategyLanes(laneOwners ?? new OwnsAllLanes(database)),
    work: new SharedWork(),
    due: new Set(),
  };
  const lifecycle = new StrategyLifecycle(strategies);
  return { ...strategies, start: () => lifecycle.start(), stop: () => lifecycle.stop() };
}
