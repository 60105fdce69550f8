import { rateOf, type Rate } from './rate.ts';
import type { RoundTrip } from './round-trip.ts';

export type WinCount = { readonly closed: number; readonly won: number };

export const NO_WINS: WinCount = { closed: 0, won: 0 };

/** Counts a round trip once it was sold. One that ended in kind is neither won nor lost. */
export function winCountAfter(count: WinCount, trip: Pick<RoundTrip, 'closedBy' | 'position'>): WinCount {
  if (trip.closedBy !== 'sold') return count;
  return { closed: count.closed + 1, won: count.won + (trip.position.realisedLamports > 0n ? 1 : 0) };
}

/** Null with no closed trades: an unknown rate is not zero. Always shown with `closed`. */
export function winRate(count: WinCount): Rate | null {
  return count.closed === 0 ? null : rateOf(BigInt(count.won), BigInt(count.closed));
}
