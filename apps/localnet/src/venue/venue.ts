import { join } from 'node:path';
import type { Address } from '@hunter/solana/address';
import type { Chain } from '../chain/chain.ts';
import { derivedKeypair } from './derived-keypair.ts';
import { readIfThere, writeDurably } from './durable-file.ts';
import type { Listing } from './listing.ts';
import { ListingStore } from './listing-store.ts';
import { MarketView } from './market-view.ts';
import { PoolCertifier } from './pool-certifier.ts';
import { PoolRegistry } from './pool-registry.ts';
import { solUsdAt } from './sol-price.ts';
import { SwapOrders } from './swap-orders.ts';

/** Everything the venue knows and does, without HTTP: what simulated traders in this process call directly. */
export class Venue {
  readonly chain: Chain;
  readonly seed: string;
  readonly dataDir: string;
  readonly address: Address;
  readonly certifier: PoolCertifier;
  readonly pools: PoolRegistry;
  readonly swaps: SwapOrders;
  readonly view: MarketView;
  readonly #listings: ListingStore;

  constructor(input: { chain: Chain; seed: string; dataDir: string; keyFile?: string }) {
    this.chain = input.chain;
    this.seed = rememberedSeed(input.chain, input.dataDir, input.seed);
    this.dataDir = input.dataDir;
    this.address = venueReference(this.seed);
    this.certifier = new PoolCertifier(input.keyFile ?? join(input.dataDir, 'venue-key.pem'));
    this.pools = new PoolRegistry(this.seed, input.chain, this.certifier);
    this.swaps = new SwapOrders(input.chain, this.pools, this.address);
    this.#listings = new ListingStore(input.dataDir, input.chain.isFresh());
    for (const listing of this.#listings.all()) this.pools.add(listing);
    this.view = new MarketView(input.chain, this.pools, input.dataDir);
    // A market without tokens is one that is yet to be made, whatever the start before this one saw of it.
    if (this.#listings.all().length > 0) this.view.load(this.address);
  }

  listings(): readonly Listing[] {
    return this.#listings.all();
  }

  /** Takes up tokens whose mint and pool are on chain already. Durable when it returns. */
  list(listings: readonly Listing[]): void {
    for (const listing of listings) {
      this.pools.add(listing);
      this.view.readHolders(listing.mint);
    }
    this.#listings.add(listings);
  }

  /** A token whose reserves are in its pool already. Durable when it returns. */
  graduate(listing: Listing): void {
    this.#listings.replace(listing);
    this.pools.replace(listing);
  }

  solUsd(unixSeconds = this.chain.unixTimestamp()): number {
    return solUsdAt(this.seed, unixSeconds);
  }

  close(): void {
    this.view.save();
    this.view.close();
    this.pools.close();
  }
}

/** The keys of the pools on this ledger come from the seed it was begun with, whatever the caller says today. */
function rememberedSeed(chain: Chain, dataDir: string, wanted: string): string {
  const path = join(dataDir, 'seed');
  const known = chain.isFresh() ? null : readIfThere(path);
  if (known !== null) return known;
  writeDurably(path, wanted);
  return wanted;
}

function venueReference(seed: string): Address {
  return derivedKeypair(seed, 'venue', 0).address;
}
