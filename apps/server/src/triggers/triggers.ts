import type { PriceScale } from '@hunter/domain/triggers/trigger-price';
import type { Pool } from '@hunter/domain/market/swap-maths';
import type { Address } from '@hunter/solana/address';
import type { LiveBus } from '../platform/live-bus.ts';
import type { Lease } from '../platform/leases.ts';
import type { Log } from '../platform/log.ts';
import type { Sql } from '../platform/postgres.ts';
import type { Trading } from '../trading/trading.ts';
import type { TriggerIndex } from './trigger-index.ts';

/** What triggers ask of the market. */
export type TriggerMarket = {
  /** Dollars per SOL to the millionth; null while nobody knows. */
  solUsdMicro: () => bigint | null;
  /** Null for a token that the market does not know. */
  token: (mint: Address) => { decimals: number; supply: bigint; creator: string | null } | null;
  /** Whether the token has left its launch curve; null where it never had one or nobody knows. */
  hasGraduated: (mint: Address) => boolean | null;
  /** When this wallet last sold the token. */
  lastSale: (mint: Address, wallet: string) => Promise<Date | null>;
};

/** A pool whose reserves are a guess: a quote confirms before anything fires on it. */
export type PricedPool = { pool: Pool; isGuess: boolean };

/** Everything the use cases of triggers work with. */
export type Triggers = {
  trading: Trading;
  market: TriggerMarket;
  /** Pools as they are now; tokens that nobody prices are left out. */
  loadPools: (mints: readonly Address[]) => Promise<ReadonlyMap<Address, PricedPool>>;
  /** The server's lease: whoever lost it decides nothing. */
  lease: () => Lease;
  /** Throws ACCOUNT_FROZEN. A freeze waits until the transaction is over. */
  requireNotFrozen: (sql: Sql, userId: string, lock: 'for share') => Promise<void>;
  bus: LiveBus;
  log: Log;
  index: TriggerIndex;
  /** A trigger of this token was placed or changed: it may be past its level already. */
  look: (mint: Address) => void;
};

export function scaleOf({ market }: Pick<Triggers, 'market'>, mint: Address, decimals: number): PriceScale {
  return { decimals, supply: market.token(mint)?.supply ?? null, solUsdMicro: market.solUsdMicro() };
}
