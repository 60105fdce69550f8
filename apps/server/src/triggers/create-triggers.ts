import type { Address } from '@hunter/solana/address';
import type { MarketStore } from '../market/market-store.ts';
import type { SolUsd } from '../market/sol-usd.ts';
import { loadLastSale } from '../market/reads/last-sale.ts';
import { PricedPools } from '../trading/priced-pools.ts';
import type { Database } from '../platform/postgres.ts';
import type { Trading } from '../trading/trading.ts';
import type { Order } from '../trading/order.ts';
import { TriggerIndex } from './trigger-index.ts';
import { TriggerLoop } from './trigger-loop.ts';
import type { PricedPool, Triggers } from './triggers.ts';

export type TriggerDeps = Pick<Triggers, 'trading' | 'lease' | 'requireNotFrozen' | 'bus' | 'log'> & {
  /** With connections of its own: on a busy engine dozens of callers wait for those of all others, and no stop waits behind them. */
  ownDatabase: Database;
  store: MarketStore;
  solUsd: Pick<SolUsd, 'now' | 'onChange'>;
};

export type RunningTriggers = Triggers & {
  start(): Promise<void>;
  stop(): Promise<void>;
  ordersSettled(orders: readonly Order[]): void;
};

/** Puts the triggers together; `start` reads them and then asks them after every change. */
export function createTriggers(deps: TriggerDeps): RunningTriggers {
  const { trading, store } = deps;
  const index = new TriggerIndex();
  const triggers: Triggers = {
    trading,
    lease: deps.lease,
    requireNotFrozen: deps.requireNotFrozen,
    bus: deps.bus,
    log: deps.log,
    index,
    loadPools: poolLoader(trading),
    look: (mint) => loop.look(mint),
    market: {
      solUsdMicro: () => deps.solUsd.now()?.usdMicro ?? null,
      token: (mint) => store.tokens.get(mint) ?? null,
      hasGraduated: (mint) => {
        const token = store.tokens.get(mint);
        return token && token.curveLamports !== null ? token.graduatedAt !== null : null;
      },
      lastSale: async (mint, wallet) => {
        const token = store.tokens.get(mint);
        return token ? loadLastSale(trading.database, token.id, wallet) : null;
      },
    },
  };
  const loop = new TriggerLoop({ ...triggers, trading: { ...trading, database: deps.ownDatabase } });
  let unsubscribe: (() => void)[] = [];
  const stopListening = (): void => {
    for (const end of unsubscribe) end();
  };
  return {
    ...triggers,
    ordersSettled: (orders) => loop.ordersSettled(orders),
    start: async () => {
      const mintOf = (id: number): Address => store.tokens.byId(id)!.mint;
      unsubscribe = [
        store.onTrades((trades) => loop.tradesStored(trades)),
        store.onReset(() => loop.marketReset()),
        store.tokens.onSaved((ids) => loop.tokensChanged(ids.map(mintOf))),
        deps.solUsd.onChange(() => loop.solPriceChanged()),
      ];
      await loop.start().catch((error: unknown) => {
        stopListening();
        throw error;
      });
    },
    stop: async () => {
      stopListening();
      await loop.stop();
    },
  };
}

/** Reserves as the venue tells them at this moment; where it tells none, the price of a quote. */
export function poolLoader({ venue, pools, tokens }: Trading): Triggers['loadPools'] {
  const priced = new PricedPools(pools, tokens);
  return async (mints) => {
    const told = (await venue.pools?.(mints)) ?? new Map();
    const found = new Map<Address, PricedPool>();
    for (const [mint, pool] of told) found.set(mint, { pool, isGuess: false });
    const untold = mints.filter((mint) => !found.has(mint));
    if (untold.length > 0) {
      for (const [mint, pool] of await priced.load(untold)) found.set(mint, { pool, isGuess: true });
    }
    return found;
  };
}
