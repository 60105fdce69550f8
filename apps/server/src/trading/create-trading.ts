import type { RpcClient } from '@hunter/solana/rpc-client';
import type { RpcSubscriptions } from '@hunter/solana/rpc-subscriptions';
import type { SignerClient } from '@hunter/solana/signer-client';
import type { LiveBus } from '../platform/live-bus.ts';
import type { Log } from '../platform/log.ts';
import type { Database } from '../platform/postgres.ts';
import { systemPacer } from './engine-ports.ts';
import { LiveOrders } from './live-orders.ts';
import { OrderEngine } from './order-engine.ts';
import { PoolReader } from './pool-reader.ts';
import { Reconciliation } from './reconciliation.ts';
import { RentReclaimer } from './rent-reclaimer.ts';
import { StoredTokenFacts } from './token-facts.ts';
import type { Trading } from './trading.ts';
import { HttpVenueClient } from './venue-client.ts';
import { WalletSigner } from './wallet-signer.ts';

export type TradingParts = {
  database: Database;
  rpc: RpcClient;
  subscriptions: RpcSubscriptions;
  signer: SignerClient;
  venueUrl: string;
  venueApiKey: string | undefined;
  bus: LiveBus;
  log: Log;
  balanceChanged: (userId: string) => void;
  unexplained: (lamports: bigint) => void;
  solUsd: Trading['solUsd'];
  placeInStrategy: Trading['placeInStrategy'];
};

/** Puts trading together; `start` finishes what an earlier process left open and then keeps watch. */
export function createTrading(parts: TradingParts): Trading & { start(): void; stop(): Promise<void> } {
  const { database, rpc, log, balanceChanged } = parts;
  const venue = new HttpVenueClient({
    url: parts.venueUrl,
    ...(parts.venueApiKey === undefined ? {} : { apiKey: parts.venueApiKey }),
  });
  const tokens = new StoredTokenFacts(database, parts.venueUrl);
  const live = new LiveOrders({ bus: parts.bus, tokens, log, balanceChanged });
  const pools = new PoolReader(venue, parts.venueUrl);
  const engine = new OrderEngine({
    database,
    venue,
    chain: rpc,
    signer: new WalletSigner(parts.signer),
    tokens,
    pacer: systemPacer,
    log,
    onSettled: (orders) => {
      pools.moved(orders.filter(({ filledOut }) => filledOut !== null).map(({ mint }) => mint));
      live.settled(orders);
    },
  });
  const rents = new RentReclaimer({ database, rpc, signer: parts.signer, log, balanceChanged });
  const reconciliation = new Reconciliation({ database, rpc, log, report: parts.unexplained });
  let unsubscribe = () => {};
  return {
    database,
    engine,
    venue,
    tokens,
    pools,
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
