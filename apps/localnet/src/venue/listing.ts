import type { Address } from '@hunter/solana/address';
import type { MintExtensions } from './token-account-data.ts';

/** One token that the venue trades, and the terms of its pool. Written once when the token is launched. */
export type Listing = {
  index: number;
  mint: Address;
  tokenProgram: Address;
  name: string;
  symbol: string;
  decimals: number;
  supply: bigint;
  createdAtMs: number;
  dev: Address;
  mintAuthority: Address | null;
  freezeAuthority: Address | null;
  extensions: MintExtensions;
  isVerified: boolean;
  tags: string[];
  /**
   * Reserves that the curve counts but the pool does not hold. They never change, so they bound how far a price can
   * fall or rise without any real reserve being left.
   */
  virtualLamports: bigint;
  virtualTokens: bigint;
  /** Only of tokens that began on a launch curve. */
  curve?: LaunchCurve;
};

/** The terms of a launch curve. Its reserves move into a pool of their own, without virtual ones, when it graduates. */
export type LaunchCurve = {
  virtualLamports: bigint;
  virtualTokens: bigint;
  /** Real SOL in the curve at which the token graduates. */
  targetLamports: bigint;
  graduatedAtMs: number | null;
};

export function isOnCurve(listing: Listing): listing is Listing & { curve: LaunchCurve } {
  return listing.curve !== undefined && listing.curve.graduatedAtMs === null;
}

/** The same token in its pool: the pool holds all it counts. */
export function graduated(listing: Listing & { curve: LaunchCurve }, graduatedAtMs: number): Listing {
  return { ...listing, virtualLamports: 0n, virtualTokens: 0n, curve: { ...listing.curve, graduatedAtMs } };
}
