import type { Lamports } from '../numbers/lamports.ts';
import { rateOf, type Rate } from '../numbers/rate.ts';

/**
 * Round trips that were sold, and those of which a part was sold with a loss in all: what is left unsold, or leaves in kind, must not
 * hide it. Won are only those of which nothing is left. One that ended in kind without a loss is neither and is not counted.
 */
export type WinCount = { readonly closed: number; readonly won: number };

/** Null with no closed trades: an unknown rate is not zero. Always shown with `closed`. */
export function winRate(count: WinCount): Rate | null {
  return count.closed === 0 ? null : rateOf(BigInt(count.won), BigInt(count.closed));
}

/** The open part of a round trip: what it cost, and what the trip has realized so far. */
export type OpenTrip = { readonly costLamports: Lamports; readonly realizedLamports: bigint };

/** Whether selling the rest now would end the trip with a loss. */
export function isAtLoss({ costLamports, realizedLamports }: OpenTrip, liquidationLamports: Lamports): boolean {
  return realizedLamports + liquidationLamports < costLamports;
}
