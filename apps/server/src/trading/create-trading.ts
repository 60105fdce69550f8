import type { RpcClient } from '@hunter/solana/rpc-client';
import type { RpcSubscriptions } from '@hunter/solana/rpc-subscriptions';
import type { SignerClient } from '@hunter/solana/signer-client';
import { StoredTokenFacts } from '../market/token-facts.ts';
import type { LiveBus } from '../platform/live-bus.ts';
import type { Log } from '../platform/log.ts';
import type { Database } from '../platform/postgres.ts';
import { systemClock } from '../platform/clock.ts';
import { PoolCache } from '../venue/pool-cache.ts';
import type { Venue } from '../venue/venue.ts';
import { LiveOrders } from './live-orders.ts';
import { OrderEngine } from './order-engine.ts';
import { Reconciliation } from './reconciliation.ts';
import { RentReclaimer } from './rent-reclaimer.ts';
import type { Trading } from './trading.ts';
import { WalletSigner } from './wallet-signer.ts';

export type TradingParts = {
  database: Database;
  rpc: RpcClient;
  subscriptions: RpcSubscriptions;
  signer: SignerClient;
  venue: Venue;
  bus: LiveBus;
  log: Log;
  balanceChanged: (userId: string) => void;
  unexplained: (lamports: bigint) => void;
  solUsd: Trading['solUsd'];
  placeInStrategy: Trading['placeInStrategy'];
};

/** Puts trading together; `start` finishes what an earlier process left open and then keeps watch. */
export function createTrading(parts: TradingParts): Trading & { start(): void; stop(): Promise<void> } {
  const { database, rpc, venue, log, balanceChanged } = parts;
  const tokens = new StoredTokenFacts(database, venue);
  const live = new LiveOrders({ bus: parts.bus, tokens, log, balanceChanged });
  const pools = new PoolCache(venue);
  const engine = new OrderEngine({
    database,
    venue,
    chain: rpc,
    signer: new WalletSigner(parts.signer),
    tokens,
    pacer: systemClock,
    log,
    onSettled: (orders) => {
      pools.moved(orders.filter(({ filledOut }) => filledOut !== null).map(({ mint }) => mint));
      live.settled(orders);
    },
  });
  const rents = new RentReclaimer({ database, rpc, signer: parts.signer, clock: systemClock, log, balanceChanged });
  const reconciliation = new Reconciliation({ database, rpc, clock: systemClock, log, report: parts.unexplained });
  let unsubscribe = () => {};
  return {
    database,
    engine,
    venue,
    tokens,
    pools,
    clock: systemClock,
    solUsd: parts.solUsd,
    placeInStrategy: parts.placeInStrategy,
    start: () => {
      unsubscribe = parts.subscriptions.slot(() => engine.slotSeen());
      // Not waited for: what is open may take as long as a blockhash lives, and the API serves meanwhile.
      void engine.recover().catch((error: Error) => log.warn({ error: error.message }, 'open orders wait'));
      rents.start();
      reconciliation.start();
    },
    stop: async () => {
      unsubscribe();
      await Promise.all([engine.stop(), rents.stop(), reconciliation.stop()]);
    },
  };
}
