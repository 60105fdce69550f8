import type { Address } from '@hunter/solana/address';
import type { Side } from '@hunter/domain/market/swap-maths';
import type { BaseUnits } from '@hunter/domain/numbers/base-units';
import type { Lamports } from '@hunter/domain/numbers/lamports';
import type { RpcClient } from '@hunter/solana/rpc-client';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { Database, Sql } from '../platform/postgres.ts';
import type { Order, OrderWallet } from './order.ts';
import type { TokenFacts } from '../market/token-facts.ts';
import type { Venue } from '../venue/venue.ts';

// What the engine needs of the world, so that tests can put a lossy chain and their own time in its place.

export type ChainReader = Pick<RpcClient, 'getSignatureStatuses' | 'getTransactions' | 'getEpochInfo'>;

/** What one transaction may do to the wallet; the signer holds the bytes against it. */
export type SwapToSign = {
  userId: string;
  wallet: OrderWallet;
  wire: Uint8Array;
  poolCertificate: string | null;
  side: Side;
  mint: Address;
  tokenProgram: Address;
  maxLamportsOut: Lamports;
  maxTokensOut: BaseUnits;
  minLamportsIn: Lamports;
  minTokensIn: BaseUnits;
};

export type Signing =
  | { ok: true; wire: Uint8Array; signature: string }
  | { ok: false; error: 'SIGNING_DENIED' | 'SIGNING_STOPPED' | 'UNAVAILABLE'; reason: string };

export interface SwapSigner {
  /** One answer per request, in order; a denial of one leaves the others standing. */
  signSwaps(requests: readonly SwapToSign[]): Promise<Signing[]>;
}

export type EnginePorts = {
  database: Database;
  venue: Venue;
  chain: ChainReader;
  signer: SwapSigner;
  tokens: TokenFacts;
  clock: Clock;
  log: Log;
  /** The key with which a part of a round is salted in the memo; its owner alone is told it. */
  followKey: (leafId: string) => Uint8Array;
  /** Throws ACCOUNT_FROZEN. */
  requireNotFrozen: (sql: Sql, userId: string) => Promise<void>;
  /** Called after the commit that settled an order. */
  onSettled: (orders: Order[]) => void;
};
