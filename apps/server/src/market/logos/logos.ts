import type { Address } from '@hunter/solana/address';
import type { TokenDirectory } from '../token-directory.ts';
import { fetchLogo, type Logo } from './fetch-logo.ts';
import { generatedLogo } from './generated-logo.ts';
import { PictureCache } from './picture-cache.ts';

/** Thousands of ordinary pictures. One may have a megabyte, so that a limit on their number would be none on the memory. */
const CACHED_BYTES_MAX = 64 * 1024 * 1024;
const FETCHES_MAX = 8;

/** The picture of a token: its own where the outside one passes all checks, a generated one otherwise. */
export class Logos {
  readonly #tokens: TokenDirectory;
  readonly #cache = new PictureCache(CACHED_BYTES_MAX);
  readonly #fetching = new Map<string, Promise<Logo>>();

  constructor(tokens: TokenDirectory) {
    this.#tokens = tokens;
  }

  /** Null for a token that the store does not know. */
  async get(mint: Address): Promise<Logo | null> {
    const cached = this.#cache.get(mint);
    if (cached) return cached;
    const token = this.#tokens.get(mint);
    if (!token) return null;
    // Under a burst of unknown pictures nobody waits for the outside world.
    if (token.logoUrl === null || this.#fetching.size >= FETCHES_MAX) return generatedLogo(mint);
    let fetching = this.#fetching.get(mint);
    if (!fetching) {
      fetching = fetchLogo(token.logoUrl)
        .then((logo) => logo ?? generatedLogo(mint))
        .then((logo) => {
          this.#cache.set(mint, logo);
          return logo;
        })
        .finally(() => this.#fetching.delete(mint));
      this.#fetching.set(mint, fetching);
    }
    return fetching;
  }
}
