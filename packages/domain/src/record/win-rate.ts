import { rateOf, type Rate } from '../numbers/rate.ts';

/** Round trips that were sold. One that ended in kind is neither won nor lost and is not counted. */
export type WinCount = { readonly closed: number; readonly won: number };

/** Null with no closed trades: an unknown rate is not zero. Always shown with `closed`. */
export function winRate(count: WinCount): Rate | null {
  return count.closed === 0 ? null : rateOf(BigInt(count.won), BigInt(count.closed));
}
