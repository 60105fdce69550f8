import { join } from 'node:path';
import { readIfThere, writeDurably } from './durable-file.ts';
import type { Listing } from './listing.ts';

export const LISTINGS_FILE = 'listings.json';

/** The tokens the venue has taken up so far, in the data folder; bigint travels as `{"$n":"123"}`. */
export class ListingStore {
  readonly #path: string;
  readonly #listings: Listing[];

  /** On a new ledger whatever the folder says about tokens is of another chain and does not count. */
  constructor(dataDir: string, isNewLedger: boolean) {
    this.#path = join(dataDir, LISTINGS_FILE);
    const text = isNewLedger ? null : readIfThere(this.#path);
    this.#listings = text === null ? [] : (JSON.parse(text, revive) as Listing[]);
  }

  all(): readonly Listing[] {
    return this.#listings;
  }

  add(listings: readonly Listing[]): void {
    this.#listings.push(...listings);
    this.#write();
  }

  replace(listing: Listing): void {
    const place = this.#listings.findIndex(({ mint }) => mint === listing.mint);
    if (place < 0) throw new Error(`the token ${listing.mint} is not listed`);
    this.#listings[place] = listing;
    this.#write();
  }

  #write(): void {
    writeDurably(this.#path, JSON.stringify(this.#listings, spell));
  }
}

function spell(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? { $n: value.toString() } : value;
}

function revive(_key: string, value: unknown): unknown {
  if (typeof value === 'object' && value !== null && '$n' in value) return BigInt(String(value.$n));
  return value;
}
