import type { AmountIn } from '@hunter/domain/market/swap-maths';
import type { TokenFacts } from '../market/token-facts.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/postgres.ts';
import type { PoolCache } from '../venue/pool-cache.ts';
import type { Venue } from '../venue/venue.ts';
import type { NewOrder, Order } from './order.ts';
import type { OrderEngine } from './order-engine.ts';

/** What the use cases of trading work with. */
export type Trading = {
  database: Database;
  engine: OrderEngine;
  venue: Venue;
  tokens: TokenFacts;
  pools: PoolCache;
  clock: Clock;
  /** Dollars per SOL as decimal text; null while nobody knows. */
  solUsd: () => string | null;
  /** Orders in a strategy's book take all its followers along; the area above does that. */
  placeInStrategy: (order: NewOrder) => Promise<Order>;
  /** What followers would put into the same swap, in the unit that goes in. */
  followersInput: (order: Pick<NewOrder, 'userId' | 'bookId' | 'side' | 'mint' | 'amountIn'>) => Promise<AmountIn>;
};
