import type { Database } from '../platform/postgres.ts';
import type { NewOrder, Order } from './order.ts';
import type { OrderEngine } from './order-engine.ts';
import type { PoolReader } from './pool-reader.ts';
import type { TokenFacts } from './token-facts.ts';
import type { VenueClient } from './venue-client.ts';

/** What the use cases of trading work with. */
export type Trading = {
  database: Database;
  engine: OrderEngine;
  venue: VenueClient;
  tokens: TokenFacts;
  pools: PoolReader;
  /** Dollars per SOL as decimal text; null while nobody knows. */
  solUsd: () => string | null;
  /** Orders in a strategy's book take all its followers along; the area above does that. */
  placeInStrategy: (order: NewOrder) => Promise<Order>;
};
