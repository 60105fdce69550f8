import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import type { Chain } from '../chain/chain.ts';
import type { Pool } from '../venue/pool.ts';
import { Refusal } from '../venue/refusal.ts';
import { decodeTokenAccount } from '../venue/token-account-data.ts';
import type { Venue } from '../venue/venue.ts';
import { decideTrade, LIVE_PACE, type TokenSight } from './decide-trade.ts';
import { firstLogOf, planOf } from './market-tokens.ts';
import { circleOf, type SimulatedWallet } from './population.ts';
import { placeSwap } from './place-swap.ts';
import { activityAt } from './price-plan.ts';
import type { SeededRandom } from '@hunter/domain/seeded-random';

/** Weights change slowly; looking at every plan for every trade would cost more than the trades. */
const WEIGHTS_EVERY_SECONDS = 5;

/** The traders at work: one call, one trade through the venue, by the same orders anybody else would place. */
export class LiveMarket {
  readonly #chain: Chain;
  readonly #venue: Venue;
  readonly #population: readonly SimulatedWallet[];
  readonly #genesisUnixSeconds: number;
  readonly #random: SeededRandom;
  readonly #sights = new Map<string, TokenSight>();
  #weights: { mint: string; upTo: number }[] = [];
  #weightsAt = Number.NEGATIVE_INFINITY;

  constructor(input: {
    chain: Chain;
    venue: Venue;
    population: readonly SimulatedWallet[];
    genesisUnixSeconds: number;
    random: SeededRandom;
  }) {
    this.#chain = input.chain;
    this.#venue = input.venue;
    this.#population = input.population;
    this.#genesisUnixSeconds = input.genesisUnixSeconds;
    this.#random = input.random;
  }

  /** Seconds until the next trade, so that they come irregularly at the wanted mean. */
  nextDelaySeconds(tradesPerSecond: number): number {
    return Math.min(30, this.#random.exponential(1 / tradesPerSecond));
  }

  /** Places one trade; false where nobody wanted or could. */
  async trade(seconds: number): Promise<boolean> {
    const pool = this.#chooseToken(seconds);
    if (pool === null) return false;
    const decision = decideTrade(this.#random, this.#sightOf(pool), seconds, LIVE_PACE);
    if (decision === null) return false;
    try {
      return await placeSwap(this.#venue, pool.listing.mint, decision);
    } catch (error) {
      // Too large for the pool, too small to matter: the trader lets it be, as anybody would.
      if (error instanceof Refusal) return false;
      throw error;
    }
  }

  #chooseToken(seconds: number): Pool | null {
    if (Math.abs(seconds - this.#weightsAt) >= WEIGHTS_EVERY_SECONDS) {
      let upTo = 0;
      this.#weights = this.#venue.pools.all().map((pool) => {
        upTo += activityAt(this.#sightOf(pool).plan, seconds);
        return { mint: pool.listing.mint, upTo };
      });
      this.#weightsAt = seconds;
    }
    const draw = this.#random.next() * (this.#weights.at(-1)?.upTo ?? 0);
    const chosen = this.#weights.find(({ upTo }) => upTo > draw);
    return chosen === undefined ? null : (this.#venue.pools.get(chosen.mint) ?? null);
  }

  #sightOf(pool: Pool): TokenSight {
    const { listing } = pool;
    const known = this.#sights.get(listing.mint);
    if (known !== undefined) return known;
    const { seed, view } = this.#venue;
    const accountOf = (wallet: SimulatedWallet) =>
      this.#chain.account(associatedTokenAddress(wallet.keypair.address, listing.mint, listing.tokenProgram));
    const sight: TokenSight = {
      plan: planOf(seed, listing, this.#genesisUnixSeconds),
      firstLog: firstLogOf(listing),
      circle: circleOf(seed, this.#population, listing),
      // Not this pool for ever: a token leaves its curve for another one.
      reserves: () => this.#venue.pools.get(listing.mint)!.reserves(),
      tokensOf: (wallet) => view.holders(listing.mint).get(wallet.keypair.address) ?? 0n,
      lamportsOf: (wallet) => this.#chain.account(wallet.keypair.address)?.lamports ?? 0n,
      mayTrade: (wallet) => {
        if (listing.freezeAuthority === null) return true;
        const account = accountOf(wallet);
        if (account === null) return listing.extensions.frozenByDefault !== true;
        return decodeTokenAccount(account.data)?.frozen !== true;
      },
    };
    this.#sights.set(listing.mint, sight);
    return sight;
  }
}
