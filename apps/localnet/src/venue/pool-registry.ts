import type { Address } from '@hunter/solana/address';
import type { Chain } from '../chain/chain.ts';
import { derivedKeypair } from './derived-keypair.ts';
import { isOnCurve, type Listing } from './listing.ts';
import { Pool } from './pool.ts';
import type { PoolCertifier } from './pool-certifier.ts';

/** All pools by mint, kept true to the chain by what its transactions touch. */
export class PoolRegistry {
  readonly #seed: string;
  readonly #chain: Chain;
  readonly #certifier: PoolCertifier;
  readonly #byMint = new Map<string, Pool>();
  readonly #byAccount = new Map<string, Pool>();
  readonly #stopListening: () => void;

  constructor(seed: string, chain: Chain, certifier: PoolCertifier) {
    this.#certifier = certifier;
    this.#seed = seed;
    this.#chain = chain;
    this.#stopListening = chain.onTransaction((transaction) => {
      for (const key of transaction.accountKeys) this.#byAccount.get(key)?.forgetReserves();
    });
  }

  /** Adding a mint twice keeps the first pool, with whatever it has promised. */
  add(listing: Listing): Pool {
    const known = this.#byMint.get(listing.mint);
    if (known !== undefined) return known;
    // Trades from before the graduation are still found by the accounts of the curve.
    if (listing.curve !== undefined && isInPool(listing)) {
      const { curve } = listing;
      const { virtualLamports, virtualTokens } = curve;
      this.#open({ ...listing, virtualLamports, virtualTokens, curve: { ...curve, graduatedAtMs: null } });
    }
    return this.#open(listing);
  }

  /** From here on the token trades in the pool that its curve became. */
  replace(listing: Listing): Pool {
    return this.#open(listing);
  }

  #open(listing: Listing): Pool {
    const keypair = (isInPool(listing) ? graduatedPoolKeypair : poolKeypair)(this.#seed, listing.index);
    const pool = new Pool(listing, keypair, this.#chain, this.#certifier);
    this.#byMint.set(listing.mint, pool);
    this.#byAccount.set(pool.keypair.address, pool);
    this.#byAccount.set(pool.vault, pool);
    return pool;
  }

  get(mint: string): Pool | undefined {
    return this.#byMint.get(mint);
  }

  ofAccount(address: Address | string): Pool | undefined {
    return this.#byAccount.get(address);
  }

  all(): Pool[] {
    return [...this.#byMint.values()];
  }

  close(): void {
    this.#stopListening();
  }
}

/** Began on a curve and left it. */
export function isInPool(listing: Listing): boolean {
  return listing.curve !== undefined && !isOnCurve(listing);
}

/** A curve's reserves move to accounts of their own, so that nobody's signed swap can meet the wrong ones. */
export function graduatedPoolKeypair(seed: string, index: number): ReturnType<typeof derivedKeypair> {
  return derivedKeypair(seed, 'graduated-pool', index);
}

export function poolKeypair(seed: string, index: number): ReturnType<typeof derivedKeypair> {
  return derivedKeypair(seed, 'pool', index);
}

export function mintKeypair(seed: string, index: number): ReturnType<typeof derivedKeypair> {
  return derivedKeypair(seed, 'mint', index);
}
