import type { Address } from '@hunter/solana/address';
import type { Clock } from '../platform/clock.ts';
import type { LiveBus } from '../platform/live-bus.ts';
import type { Log } from '../platform/log.ts';
import type { Trading } from '../trading/trading.ts';
import type { MarketStore } from '../market/market-store.ts';
import { FollowGuard } from './guard-follows.ts';
import { StrategyLifecycle } from './lifecycle.ts';
import { PricedPools } from '../trading/priced-pools.ts';
import { SharedWork } from './shared-work.ts';
import { StrategyMarks } from './performance/strategy-marks.ts';
import type { Strategies } from './strategies.ts';
import { OwnsAllLanes, StrategyLanes, type LaneOwners } from './strategy-lanes.ts';

export type StrategyDeps = {
  trading: Pick<Trading, 'database' | 'engine' | 'pools' | 'tokens'>;
  store: Pick<MarketStore, 'onTrades' | 'tokens'>;
  clock: Clock;
  bus: LiveBus;
  log: Log;
  /** Without it this is the only process. */
  laneOwners?: LaneOwners | undefined;
} & Pick<
  Strategies,
  | 'transfers'
  | 'createWallet'
  | 'coinFacts'
  | 'referencePrice'
  | 'referenceToBuy'
  | 'copiedWallets'
  | 'boughtLately'
  | 'loadUnrecorded'
  | 'balanceChanged'
  | 'creatorBought'
>;

/** Puts the strategies together; `start` carries on what an earlier process left open and then keeps watch. */
export function createStrategies(deps: StrategyDeps): Strategies & { start(): void; stop(): Promise<void> } {
  const { trading, store, laneOwners, ...rest } = deps;
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
    marks: new StrategyMarks(),
  };
  const lifecycle = new StrategyLifecycle(strategies);
  const guard = new FollowGuard(strategies);
  let unsubscribe: (() => void)[] = [];
  return {
    ...strategies,
    start: () => {
      const pricesMoved = (mints: readonly Address[]): void => {
        guard.pricesMoved(mints);
        strategies.marks.pricesMoved(mints);
      };
      unsubscribe = [
        store.onTrades((trades) => pricesMoved(trades.map(({ mint }) => mint))),
        store.tokens.onSaved((ids) => pricesMoved(ids.map((id) => store.tokens.byId(id)!.mint))),
      ];
      lifecycle.start();
      guard.start();
    },
    stop: async () => {
      for (const end of unsubscribe) end();
      await Promise.all([guard.stop(), lifecycle.stop()]);
    },
  };
}
