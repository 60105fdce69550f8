// The port to a venue. What a venue can do is said by its adapter, which the configuration chooses: an optional call is there
// or it is not, and nobody asks the venue itself. Every adapter passes the tests of `venue-contract-for-test.ts`.

import type { AmountIn, AmountOut, Pool, Side } from '@hunter/domain/market/swap-maths';
import type { Lamports } from '@hunter/domain/numbers/lamports';
import type { Address } from '@hunter/solana/address';
import type { ExecuteResult } from './execute-result.ts';

export type VenueProfile = {
  /** Part of every trade that the venue keeps. */
  feeBps: number;
  /** Set aside for the network in every order: signatures and what priority may cost. */
  feeReserveLamports: Lamports;
};

export type QuoteInput = {
  mint: Address;
  side: Side;
  amount: AmountIn;
  slippageBps: number;
  /** The wallet to build a transaction for. */
  taker?: string;
  /** Written beside the swap, where there is a taker. */
  memo?: string;
  /** Nobody waits for it: an order's quote goes first. */
  background?: boolean;
  /** A stop waits for it: it goes with the sales. */
  urgent?: boolean;
};

export type VenueQuote = {
  requestId: string;
  inAmount: AmountIn;
  outAmount: AmountOut;
  /** Percent points by which the price gets worse, never negative. */
  impactPercent: number;
  feeBps: number;
  networkFeeLamports: Lamports;
  rentLamports: Lamports;
  /** Unsigned; null for a quote without a taker. */
  wire: Uint8Array | null;
  /** The venue's proof to the signer that the wallet pays a pool; it goes along unread. */
  poolCertificate: string | null;
  lastValidBlockHeight: bigint | null;
  expiresAtMs: number | null;
};

export type ExecuteInput = { requestId: string; wire: Uint8Array; lastValidBlockHeight: bigint };

export type VenueToken = {
  mint: Address;
  name: string;
  symbol: string;
  decimals: number;
  tokenProgram: string;
  logoUrl: string | null;
  creator: string | null;
  pool: string | null;
  supply: bigint;
  createdAtMs: number;
  /** SOL in its launch curve at which it graduates into a pool; null where it has no curve, or the venue does not say. */
  curveLamports: bigint | null;
  /** Where it is or was traded on that curve: with a graduation the token moves to another pool. */
  curvePool: string | null;
  graduatedAtMs: number | null;
  /** Null where the venue does not say. */
  links: TokenLink[] | null;
};

/** As its creator gave it: hostile until checked. */
export type TokenLink = { kind: 'website' | 'x' | 'telegram'; url: string };

/** Where a pool is on chain, and the constants of its curve. */
export type PoolAccounts = {
  mint: Address;
  address: string;
  vault: string;
  virtualLamports: bigint;
  virtualTokens: bigint;
  /** Part of the address's lamports that no swap can pay out. */
  rentLamports: bigint;
};

export type PricePoint = { atMs: number; usdMicro: bigint };

/** Refusals throw `VenueError`, an AppError; `UNAVAILABLE` means that no usable answer came. */
export interface Venue {
  readonly profile: VenueProfile;
  quote(input: QuoteInput): Promise<VenueQuote>;
  /** Repeating it with the same bytes has no second effect. */
  execute(input: ExecuteInput): Promise<ExecuteResult>;
  /** Pools by mint, of as many tokens as asked for; those without one are left out. */
  pools?(mints: readonly Address[]): Promise<Map<Address, Pool>>;
  /** Accounts of pools, for those who recompute their state from the chain. */
  poolAccounts?(mints: readonly Address[]): Promise<PoolAccounts[]>;
  /** Those the venue knows. */
  tokens?(mints: readonly Address[]): Promise<VenueToken[]>;
  liveliestTokens?(): Promise<VenueToken[]>;
  /** Dollars per SOL, to the millionth. */
  solUsdMicro?(): Promise<bigint>;
  /** Points of the past, oldest first. */
  solUsdHistory?(fromSeconds: number, toSeconds: number, intervalSeconds: number): Promise<PricePoint[]>;
  /** The key that every swap of the venue mentions, by which the chain is searched for them. */
  referenceAddress?(): Promise<string>;
}

/** A venue whose swaps can be read from the chain. */
export type IndexedVenue = Venue &
  Required<Pick<Venue, 'tokens' | 'liveliestTokens' | 'solUsdMicro' | 'referenceAddress'>>;
