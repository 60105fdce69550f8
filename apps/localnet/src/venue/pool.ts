// What a pool may promise, and why it cannot lose by it.
//
// With the reserves at some point and reservations still to be executed in whole or in part, the pool can end up
// anywhere in the box that they span. Along each single reservation the product of the reserves is concave (SOL goes
// one way, tokens the other), so over the whole box it is smallest in one of the corners. A swap is co-signed only
// where it lowers the product in no corner, and a quote is priced by the worst corner. Hence the smallest product over
// the box never falls, whatever becomes of the swaps that are on their way.

import { smaller } from '@hunter/domain/numbers/rounding';
import type { Address } from '@hunter/solana/address';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import type { Keypair } from '@hunter/solana/keypair';
import type { Chain } from '../chain/chain.ts';
import type { Listing } from './listing.ts';
import type { PoolCertifier } from './pool-certifier.ts';
import { curveOutput, moved, type Movement, productOf, type Reserves, type Side } from './pool-curve.ts';
import { RENT_EXEMPT_EMPTY } from './rent.ts';
import { tokenAmountOf } from './token-account-data.ts';

/**
 * A promise the pool has made and cannot take back: a swap on its way to the chain. Until it ends,
 * the pool may find itself in any state between "none of it happened" and "all of it happened".
 */
export type Reservation = { remaining: Movement };

/** Each reservation doubles the states to price against. */
const RESERVATIONS_MAX = 6;

export class Pool {
  readonly listing: Listing;
  readonly keypair: Keypair;
  readonly vault: Address;
  readonly #chain: Pick<Chain, 'account'>;
  readonly #certify: () => string;
  #certificate: string | null = null;
  readonly #reservations = new Set<Reservation>();
  #reserves: Reserves | null = null;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(
    listing: Listing,
    keypair: Keypair,
    chain: Pick<Chain, 'account'>,
    certifier: Pick<PoolCertifier, 'certify'>,
  ) {
    this.#certify = () => certifier.certify(keypair.address, listing.mint);
    this.listing = listing;
    this.keypair = keypair;
    this.vault = associatedTokenAddress(keypair.address, listing.mint, listing.tokenProgram);
    this.#chain = chain;
  }

  /** What the signer wants to see before it lets a wallet pay this pool. */
  certificate(): string {
    this.#certificate ??= this.#certify();
    return this.#certificate;
  }

  /** The balances on chain are the only truth; what is kept here is thrown away whenever a transaction touched them. */
  forgetReserves(): void {
    this.#reserves = null;
  }

  reserves(): Reserves {
    if (this.#reserves === null) {
      const vault = this.#chain.account(this.vault);
      const native = this.#chain.account(this.keypair.address);
      const { virtualLamports, virtualTokens } = this.listing;
      this.#reserves = {
        lamports: virtualLamports + (native === null ? 0n : native.lamports - RENT_EXEMPT_EMPTY),
        tokens: virtualTokens + (vault === null ? 0n : tokenAmountOf(vault.data)),
      };
    }
    return this.#reserves;
  }

  /** Every corner of what the open reservations may still do. The product is smallest in one of them. */
  corners(): Reserves[] {
    let corners = [this.reserves()];
    for (const { remaining } of this.#reservations) {
      corners = corners.concat(corners.map((corner) => moved(corner, remaining)));
    }
    return corners;
  }

  /** The worst output over all corners, or null where some corner could not pay it out of its real reserves. */
  quote(side: Side, amountIn: bigint): bigint | null {
    const corners = this.corners();
    const worst = corners.map((corner) => curveOutput(side, corner, amountIn)).reduce(smaller);
    return corners.every((corner) => this.#canPay(side, corner, worst)) ? worst : null;
  }

  /** A swap may be co-signed when the product falls in no corner and every corner can pay. */
  admits(movement: Movement): boolean {
    const side: Side = movement.lamports >= 0n ? 'buy' : 'sell';
    const payout = side === 'buy' ? -movement.tokens : -movement.lamports;
    return this.corners().every(
      (corner) => productOf(moved(corner, movement)) >= productOf(corner) && this.#canPay(side, corner, payout),
    );
  }

  #canPay(side: Side, corner: Reserves, output: bigint): boolean {
    return side === 'buy'
      ? corner.tokens - this.listing.virtualTokens >= output
      : corner.lamports - this.listing.virtualLamports >= output;
  }

  /** What it really holds. */
  holds(): Reserves {
    const { lamports, tokens } = this.reserves();
    return { lamports: lamports - this.listing.virtualLamports, tokens: tokens - this.listing.virtualTokens };
  }

  isPromised(): boolean {
    return this.#reservations.size > 0;
  }

  canReserve(): boolean {
    return this.#reservations.size < RESERVATIONS_MAX;
  }

  reserve(remaining: Movement): Reservation {
    const reservation = { remaining };
    this.#reservations.add(reservation);
    return reservation;
  }

  release(reservation: Reservation): void {
    this.#reservations.delete(reservation);
  }

  /** Single swaps of one pool go one after another, so that each is priced on what the one before it left. */
  inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    const turn = this.#queue.then(work, work);
    this.#queue = turn.catch(() => undefined);
    return turn;
  }
}
