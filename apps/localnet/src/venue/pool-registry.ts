import type { Address } from '@hunter/solana/address';
import type { Chain } from '../chain/chain.ts';
import { derivedKeypair } from './derived-keypair.ts';
import type { Listing } from './listing.ts';
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
    const pool = new Pool(listing, poolKeypair(this.#seed, listing.index), this.#chain, this.#certifier);
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

export function poolKeypair(seed: string, index: number): ReturnType<typeof derivedKeypair> {
  return derivedKeypair(seed, 'pool', index);
}

export function mintKeypair(seed: string, index: number): ReturnType<typeof derivedKeypair> {
  return derivedKeypair(seed, 'mint', index);
}
