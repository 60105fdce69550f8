import type { Lamports } from '../numbers/lamports.ts';
import { rateOf, type Rate } from '../numbers/rate.ts';

/** An account at one moment. Profit is since the account began; what is not profit came from outside or went there. */
export type AccountPoint = { readonly equityLamports: Lamports; readonly profitLamports: bigint };

/**
 * What an account earned between two moments: deposits and withdrawals change the equity and not the profit. The rate is of what
 * it worked with, the equity at the start and what was deposited since, as the total return is of all deposits; null where that is
 * nothing.
 */
export function changeBetween(
  start: AccountPoint,
  end: AccountPoint,
  depositedLamports: Lamports,
): { readonly profitLamports: bigint; readonly rate: Rate | null } {
  const profitLamports = end.profitLamports - start.profitLamports;
  const base = start.equityLamports + depositedLamports;
  return { profitLamports, rate: base === 0n ? null : rateOf(profitLamports, base) };
}
