import type { Address } from '@hunter/solana/address';
import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import { smaller } from '@hunter/domain/numbers/rounding';
import { TOKEN_ACCOUNT_RENT_LAMPORTS, token2022AccountRent } from '@hunter/domain/market/token-account-rent';
import type { MintExtension } from '@hunter/domain/market/token-safety';
import { TOKEN_PROGRAM } from '@hunter/solana/program-ids';

/** Below this a trade is mostly fee. */
export const BUY_MINIMUM_LAMPORTS = lamports(1_000_000n);
export const SLIPPAGE_BPS_MAX = 5_000;
export const IMPACT_WARN_PERCENT = 5;
/** Past this only closing a position is let through: leaving a broken pool must stay possible. */
export const IMPACT_REFUSED_PERCENT = 30;
export const ATTEMPTS_MAX = 3;

/** Token-2022 accounts are larger by what their mint's extensions need; this covers the usual ones, and is what the signer lets leave. */
const TOKEN_2022_RENT_LAMPORTS = lamports(2_500_000n);

/** The most that the token account of a mint can lock up; exact for the Token program. */
export function rentCeiling(tokenProgram: Address): Lamports {
  return tokenProgram === TOKEN_PROGRAM ? TOKEN_ACCOUNT_RENT_LAMPORTS : TOKEN_2022_RENT_LAMPORTS;
}

/** What it locks up as far as it can be known, else the most. */
export function accountRent(token: {
  tokenProgram: Address;
  extensions?: readonly MintExtension[] | undefined;
}): Lamports {
  const ceiling = rentCeiling(token.tokenProgram);
  if (token.tokenProgram === TOKEN_PROGRAM) return ceiling;
  const exact = token2022AccountRent(token.extensions);
  return exact === null ? ceiling : smaller(exact, ceiling);
}

/** Whether it may turn out lower. No account is of a size that costs just this. */
export function isRentMaximum(rentLamports: Lamports): boolean {
  return rentLamports === TOKEN_2022_RENT_LAMPORTS;
}

export type ImpactLevel = 'ok' | 'warn' | 'refused';

export function impactLevel(percent: number): ImpactLevel {
  if (percent >= IMPACT_REFUSED_PERCENT) return 'refused';
  return percent >= IMPACT_WARN_PERCENT ? 'warn' : 'ok';
}
