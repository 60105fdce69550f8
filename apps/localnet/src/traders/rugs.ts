import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import { compileMessage } from '@hunter/solana/message';
import { transferSol } from '@hunter/solana/system-program';
import { createAssociatedTokenAccountIdempotent, transferChecked } from '@hunter/solana/token-program';
import { encodeTransaction, signTransaction, transactionFromMessage } from '@hunter/solana/transaction';
import type { Chain } from '../chain/chain.ts';
import { isOnCurve, type Listing } from '../venue/listing.ts';
import type { Pool } from '../venue/pool.ts';
import { Refusal } from '../venue/refusal.ts';
import type { Venue } from '../venue/venue.ts';
import { planOf } from './market-tokens.ts';
import { placeSwap } from './place-swap.ts';
import { rugSteps } from './price-plan.ts';
import { devKeypair } from './simulated-token.ts';
import { GENESIS_TOKENS } from './token-catalogue.ts';

/** What a step that a stop made late may still happen after. */
const LATE_SECONDS = 120;
const LOOK_EVERY_SECONDS = 5;
/** One part of so many stays in a pool whose liquidity is pulled. */
const LEFT_DIVISOR = 10n;

/**
 * Developers who leave: some sales that anybody can see, then everything at once, with the liquidity where it is no longer on a
 * curve. What was done is read from the chain: a developer without tokens has left.
 */
export class Rugs {
  readonly #chain: Chain;
  readonly #venue: Venue;
  readonly #genesisUnixSeconds: number;
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** Up to when each token's steps have happened. */
  readonly #doneTo = new Map<string, number>();

  constructor(input: { chain: Chain; venue: Venue; genesisUnixSeconds: number }) {
    this.#chain = input.chain;
    this.#venue = input.venue;
    this.#genesisUnixSeconds = input.genesisUnixSeconds;
  }

  async tick(seconds: number): Promise<void> {
    if (seconds - this.#lookedAt < LOOK_EVERY_SECONDS) return;
    this.#lookedAt = seconds;
    for (const { listing } of this.#venue.pools.all()) {
      if (listing.index < GENESIS_TOKENS.length) continue;
      const steps = rugSteps(planOf(this.#venue.seed, listing, this.#genesisUnixSeconds));
      const doneTo = this.#doneTo.get(listing.mint) ?? seconds - LATE_SECONDS;
      const due = steps?.find(({ atSeconds }) => atSeconds > doneTo && atSeconds <= seconds);
      if (!due) continue;
      this.#doneTo.set(listing.mint, due.atSeconds);
      await this.#sell(listing, due.part);
      if (due.isLast) await this.#pull(listing);
    }
  }

  async #sell(listing: Listing, part: number): Promise<void> {
    const keypair = devKeypair(this.#venue.seed, listing.index);
    const held = this.#venue.view.holders(listing.mint).get(keypair.address) ?? 0n;
    const amount = part === 1 ? held : (held * BigInt(Math.round(part * 1_000))) / 1_000n;
    if (amount === 0n) return;
    try {
      await placeSwap(this.#venue, listing.mint, { wallet: { keypair }, side: 'sell', amount });
    } catch (error) {
      // Too large for the pool: he keeps it.
      if (!(error instanceof Refusal)) throw error;
    }
  }

  async #pull(listing: Listing): Promise<void> {
    const pool = this.#venue.pools.get(listing.mint);
    if (pool === undefined || isOnCurve(pool.listing)) return;
    await pool.inTurn(() => this.#takeOut(pool));
  }

  /** Not while the pool has promised anything: a swap that is signed against it must find what it was promised. */
  async #takeOut(pool: Pool): Promise<void> {
    pool.forgetReserves();
    if (pool.isPromised()) return;
    const { mint, tokenProgram, decimals, index } = pool.listing;
    const dev = devKeypair(this.#venue.seed, index);
    const { lamports, tokens } = pool.holds();
    const message = compileMessage({
      version: 0,
      feePayer: dev.address,
      recentBlockhash: this.#chain.latestBlockhash().blockhash,
      instructions: [
        createAssociatedTokenAccountIdempotent({ payer: dev.address, owner: dev.address, mint, tokenProgram }),
        transferSol({ from: pool.keypair.address, to: dev.address, lamports: lamports - lamports / LEFT_DIVISOR }),
        transferChecked({
          source: pool.vault,
          mint,
          destination: associatedTokenAddress(dev.address, mint, tokenProgram),
          owner: pool.keypair.address,
          amount: tokens - tokens / LEFT_DIVISOR,
          decimals,
          tokenProgram,
          // Whoever follows the venue's trades hears of it.
          references: [this.#venue.address],
        }),
      ],
    });
    await this.#chain.submit(encodeTransaction(signTransaction(transactionFromMessage(message), [dev, pool.keypair])));
  }
}
