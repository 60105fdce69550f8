import type { Keypair } from '@hunter/solana/keypair';
import type { Chain } from '../chain/chain.ts';
import { derivedKeypair } from '../venue/derived-keypair.ts';
import { mintKeypair, poolKeypair } from '../venue/pool-registry.ts';
import type { Venue } from '../venue/venue.ts';
import { launchWire } from './launch-transaction.ts';
import { launchToken } from './market-tokens.ts';
import type { SeededRandom } from '@hunter/domain/seeded-random';
import { devKeypair } from './simulated-token.ts';
import { GENESIS_TOKENS } from './token-catalogue.ts';

/** Lists, plans and token accounts all grow with launches, so there is an end to them. */
const LAUNCHES_MAX = 400;
const LAUNCH_EVERY_SECONDS = 210;
/** Launches grow rarer as the market fills: the mean wait doubles with each of this many. */
const LAUNCHES_TO_DOUBLE = 40;

/** Enough for every launch there can be. */
export const LAUNCHPAD_LAMPORTS = 100_000n * 1_000_000_000n;

export function launchpadKeypair(seed: string): Keypair {
  return derivedKeypair(seed, 'launchpad', 0);
}

/** Brings new tokens to the market while it runs. */
export class Launchpad {
  readonly #chain: Chain;
  readonly #venue: Venue;
  readonly #random: SeededRandom;
  #dueAt: number;

  constructor(chain: Chain, venue: Venue, random: SeededRandom, seconds: number) {
    this.#chain = chain;
    this.#venue = venue;
    this.#random = random;
    this.#dueAt = seconds + this.#wait() / 3;
  }

  /** Launches the next token when its time has come. */
  async tick(seconds: number): Promise<void> {
    if (seconds < this.#dueAt || this.#launches() >= LAUNCHES_MAX) return;
    this.#dueAt = seconds + this.#wait();
    await this.launch();
  }

  async launch(): Promise<void> {
    const { seed } = this.#venue;
    const token = launchToken(seed, this.#launches(), this.#chain.unixTimestamp() * 1000);
    const { listing } = token;
    // A launch that landed right before a crash is on chain but not on the list; then it only needs to be listed.
    if (this.#chain.account(listing.mint) !== null) {
      this.#venue.list([listing]);
      return;
    }
    const wire = launchWire({
      token,
      launchpad: launchpadKeypair(seed),
      mint: mintKeypair(seed, listing.index),
      dev: devKeypair(seed, listing.index),
      pool: poolKeypair(seed, listing.index).address,
      blockhash: this.#chain.latestBlockhash().blockhash,
    });
    const outcome = await this.#chain.submit(wire);
    if (outcome.kind !== 'accepted' || outcome.transaction.err !== null) {
      const reason = outcome.kind === 'refused' ? outcome.message : outcome.kind;
      throw new Error(`the launch of ${listing.symbol} failed: ${reason}`);
    }
    this.#venue.list([listing]);
    this.#venue.view.record(outcome.transaction);
  }

  #launches(): number {
    return this.#venue.listings().length - GENESIS_TOKENS.length;
  }

  #wait(): number {
    return this.#random.exponential(LAUNCH_EVERY_SECONDS * (1 + this.#launches() / LAUNCHES_TO_DOUBLE));
  }
}
