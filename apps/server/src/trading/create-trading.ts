import type { RpcClient } from '@hunter/solana/rpc-client';
import type { RpcSubscriptions } from '@hunter/solana/rpc-subscriptions';
import type { SignerClient } from '@hunter/signer-client/signer-client';
import { StoredTokenFacts } from '../market/token-facts.ts';
import type { LiveBus } from '../platform/live-bus.ts';
import type { Log } from '../platform/log.ts';
import type { Database, Sql } from '../platform/postgres.ts';
import { systemClock } from '../platform/clock.ts';
import { PoolCache } from '../venue/pool-cache.ts';
import type { WalletPart } from '../ledger/wallet-part.ts';
import type { Venue } from '../venue/venue.ts';
import type { EnginePorts } from './engine-ports.ts';
import { LiveOrders } from './live-orders.ts';
import type { Order } from './order.ts';
import { OrderEngine } from './order-engine.ts';
import { Reconciliation, type ReconciliationDeps } from './reconciliation.ts';
import { RentReclaimer } from './rent-reclaimer.ts';
import type { Trading } from './trading.ts';
import { WalletSigner } from './wallet-signer.ts';

export type TradingDeps = {
  database: Database;
  rpc: RpcClient;
  subscriptions: RpcSubscriptions;
  signer: SignerClient;
  venue: Venue;
  bus: LiveBus;
  log: Log;
  balanceChanged: (userId: string) => void;
  unexplained: ReconciliationDeps['report'];
  inTransfer: (sql: Sql) => Promise<ReadonlySet<string>>;
  accountsBetween: ReconciliationDeps['accountsBetween'];
  solUsd: Trading['solUsd'];
  placeInStrategy: Trading['placeInStrategy'];
  followersInput: Trading['followersInput'];
  followKey: EnginePorts['followKey'];
  requireNotFrozen: EnginePorts['requireNotFrozen'];
  /** Told of orders that ended, after the commit. */
  orderSettled: (orders: readonly Order[]) => void;
};

/** Puts trading together; `start` finishes what an earlier process left open and then keeps watch. */
export function createTrading(deps: TradingDeps): Trading & {
  start(): void;
  stop(): Promise<void>;
  /** Compares a part of the wallets; what it writes goes to `database`. */
  reconciliation(database: Database, part: WalletPart): Pick<Reconciliation, 'start' | 'stop'>;
} {
  const { database, rpc, venue, log, balanceChanged } = deps;
  const tokens = new StoredTokenFacts(database, venue);
  const live = new LiveOrders({ database, bus: deps.bus, tokens, log, balanceChanged });
  const pools = new PoolCache(venue);
  const engine = new OrderEngine({
    database,
    venue,
    chain: rpc,
    signer: new WalletSigner(deps.signer),
    tokens,
    clock: systemClock,
    log,
    followKey: deps.followKey,
    requireNotFrozen: deps.requireNotFrozen,
    onSettled: (orders) => {
      pools.moved(orders.filter(({ filledOut }) => filledOut !== null).map(({ mint }) => mint));
      live.settled(orders);
      deps.orderSettled(orders);
    },
  });
  const rents = new RentReclaimer({ database, rpc, signer: deps.signer, clock: systemClock, log, balanceChanged });
  const { unexplained: report, inTransfer, accountsBetween } = deps;
  let unsubscribe = () => {};
  return {
    database,
    engine,
    venue,
    tokens,
    pools,
    clock: systemClock,
    solUsd: deps.solUsd,
    placeInStrategy: deps.placeInStrategy,
    followersInput: deps.followersInput,
    start: () => {
      unsubscribe = deps.subscriptions.slot(() => engine.slotSeen());
      // Not waited for: what is open may take as long as a blockhash lives, and the API serves meanwhile.
      void engine
        .recover()
        .catch((error: unknown) => log.warn({ err: error }, 'first order recovery failed; retrying in 1 s'));
      rents.start();
    },
    reconciliation: (on, part) =>
      new Reconciliation({ database: on, rpc, clock: systemClock, log, report, inTransfer, accountsBetween }, part),
    stop: async () => {
      unsubscribe();
      await Promise.all([engine.stop(), rents.stop()]);
    },
  };
}
