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
};
