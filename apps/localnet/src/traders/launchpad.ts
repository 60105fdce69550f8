import type { Keypair } from '@hunter/solana/keypair';
import type { Chain } from '../chain/chain.ts';
import { derivedKeypair } from '../venue/derived-keypair.ts';
import { mintKeypair, poolKeypair } from '../venue/pool-registry.ts';
import type { Venue } from '../venue/venue.ts';
import { firstBuyers } from './first-buyers.ts';
import { finishGraduations, graduateDue } from './graduation.ts';
import { launchWire } from './launch-transaction.ts';
import { launchToken } from './market-tokens.ts';
import type { SimulatedWallet } from './population.ts';
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

/** So many launches come at once when a market opens: from the first minutes on there is something on a curve. */
const OPENING_LAUNCHES = 4;
const OPENING_EVERY_SECONDS = 15;

/** Brings new tokens to the market while it runs, and moves those that have collected their SOL into pools. */
export class Launchpad {
  readonly #chain: Chain;
  readonly #venue: Venue;
  readonly #random: SeededRandom;
  readonly #population: readonly SimulatedWallet[];
  #dueAt: number;

  constructor(input: {
    chain: Chain;
    venue: Venue;
    population: readonly SimulatedWallet[];
    random: SeededRandom;
    seconds: number;
  }) {
    this.#chain = input.chain;
    this.#venue = input.venue;
    this.#population = input.population;
    this.#random = input.random;
    this.#dueAt = input.seconds + Math.max(OPENING_EVERY_SECONDS, this.#wait() / 3);
    finishGraduations(this.#chain, this.#venue);
  }

  /** Graduates whatever is due, and launches the next token when its time has come. */
  async tick(seconds: number): Promise<void> {
    await graduateDue(this.#chain, this.#venue, launchpadKeypair(this.#venue.seed));
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
    await firstBuyers({ chain: this.#chain, venue: this.#venue, population: this.#population, listing });
  }

  #launches(): number {
    return this.#venue.listings().length - GENESIS_TOKENS.length;
  }

  #wait(): number {
    if (this.#launches() < OPENING_LAUNCHES) return OPENING_EVERY_SECONDS;
    return this.#random.exponential(LAUNCH_EVERY_SECONDS * (1 + this.#launches() / LAUNCHES_TO_DOUBLE));
  }
}
