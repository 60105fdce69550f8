import type { Lamports } from '../numbers/lamports.ts';
import { rateOf, type Rate } from '../numbers/rate.ts';

export type AccountFlows = {
  readonly equityLamports: Lamports;
  readonly depositedLamports: Lamports;
  readonly withdrawnLamports: Lamports;
  /** The part of equity and proceeds that is tokens from outside. Their cost is unknown, so they are no profit. */
  readonly outsideLamports: bigint;
};

/** (equity + withdrawn − deposited) ÷ deposited of an account; the rate is null before the first deposit. */
export function totalReturn(account: AccountFlows): { readonly profitLamports: bigint; readonly rate: Rate | null } {
  const { equityLamports, depositedLamports, withdrawnLamports, outsideLamports } = account;
  const profitLamports = equityLamports + withdrawnLamports - depositedLamports - outsideLamports;
  return { profitLamports, rate: depositedLamports === 0n ? null : rateOf(profitLamports, depositedLamports) };
}
