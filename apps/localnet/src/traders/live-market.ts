import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import type { Chain } from '../chain/chain.ts';
import type { Pool } from '../venue/pool.ts';
import { Refusal } from '../venue/refusal.ts';
import { decodeTokenAccount } from '../venue/token-account-data.ts';
import type { Venue } from '../venue/venue.ts';
import { attentionShares, interestAt } from './attention.ts';
import { decideTrade, LIVE_PACE, type Decision, type TokenSight } from './decide-trade.ts';
import { firstLogOf, planOf } from './market-tokens.ts';
import { circleOf, type SimulatedWallet } from './population.ts';
import { placeSwap } from './place-swap.ts';
import type { SeededRandom } from '@hunter/domain/seeded-random';

/** Weights change slowly; looking at every plan for every trade would cost more than the trades. */
const WEIGHTS_EVERY_SECONDS = 5;
/** A trade is followed by a burst of others in the same token this often; a large one more often. */
const BURST_CHANCE = 0.07;
const LARGE_BURST_CHANCE = 0.3;
/** Large is what takes this part of the reserve, and more. */
const LARGE_PART = 150n;
const BURST_TRADES_MAX = 7;
const BURST_PACE = 6;
const PAUSE_SECONDS_MAX = 30;

/** The traders at work: one call, one trade through the venue, by the same orders anybody else would place. */
export class LiveMarket {
  readonly #chain: Chain;
  readonly #venue: Venue;
  readonly #population: readonly SimulatedWallet[];
  readonly #genesisUnixSeconds: number;
  readonly #random: SeededRandom;
  readonly #sights = new Map<string, TokenSight>();
  #burst: { mint: string; side: Decision['side']; left: number } | null = null;
  /** Seconds by which bursts are ahead of the mean pace; the pause after them makes up for it. */
  #ahead = 0;
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

  /** Seconds until the next trade: irregular, in bursts, at the wanted mean. */
  nextDelaySeconds(tradesPerSecond: number): number {
    const usual = 1 / tradesPerSecond;
    if (this.#burst !== null) {
      const pause = this.#random.exponential(usual / BURST_PACE);
      this.#ahead += usual - pause;
      return pause;
    }
    const pause = this.#random.exponential(usual) + this.#ahead / 2;
    this.#ahead /= 2;
    return Math.min(PAUSE_SECONDS_MAX, Math.max(0, pause));
  }

  /** Places one trade; false where nobody wanted or could. */
  async trade(seconds: number): Promise<boolean> {
    const burst = this.#burst;
    const pool = burst === null ? this.#chooseToken(seconds) : (this.#venue.pools.get(burst.mint) ?? null);
    this.#burst = burst === null || burst.left <= 1 ? null : { ...burst, left: burst.left - 1 };
    if (pool === null) return false;
    const decision = decideTrade(this.#random, this.#sightOf(pool), seconds, LIVE_PACE, burst?.side ?? null);
    if (decision === null) return false;
    try {
      const isDone = await placeSwap(this.#venue, pool.listing.mint, decision);
      if (isDone && burst === null) this.#maybeBurst(pool, decision);
      return isDone;
    } catch (error) {
      // Too large for the pool, too small to matter: the trader lets it be, as anybody would.
      if (error instanceof Refusal) return false;
      throw error;
    }
  }

  /** What somebody does with much money, others see and do too. */
  #maybeBurst(pool: Pool, { side, amount }: Decision): void {
    const { lamports, tokens } = pool.reserves();
    const isLarge = amount * LARGE_PART > (side === 'buy' ? lamports : tokens);
    if (!this.#random.chance(isLarge ? LARGE_BURST_CHANCE : BURST_CHANCE)) return;
    this.#burst = { mint: pool.listing.mint, side, left: 2 + this.#random.whole(BURST_TRADES_MAX - 1) };
  }

  #chooseToken(seconds: number): Pool | null {
    if (Math.abs(seconds - this.#weightsAt) >= WEIGHTS_EVERY_SECONDS) {
      let upTo = 0;
      const pools = this.#venue.pools.all();
      const shares = attentionShares(pools.map((pool) => interestAt(this.#sightOf(pool).plan, seconds)));
      this.#weights = pools.map((pool, place) => {
        upTo += shares[place]!;
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
