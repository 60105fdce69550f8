import { rateOf, type Rate } from './rate.ts';

/** (equity + withdrawn − deposited) ÷ deposited of an account; null before the first deposit. */
export function totalReturn(account: {
  readonly equityLamports: bigint;
  readonly withdrawnLamports: bigint;
  readonly depositedLamports: bigint;
}): Rate | null {
  const { equityLamports, withdrawnLamports, depositedLamports } = account;
  if (depositedLamports <= 0n) return null;
  return rateOf(equityLamports + withdrawnLamports - depositedLamports, depositedLamports);
}
