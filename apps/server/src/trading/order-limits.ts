import { TOKEN_PROGRAM } from '@hunter/solana/program-ids';

/** Below this a trade is mostly fee. */
export const BUY_MINIMUM_LAMPORTS = 1_000_000n;
export const SLIPPAGE_BPS_MAX = 5_000;
export const IMPACT_WARN_PERCENT = 5;
/** Past this only closing a position is let through: leaving a broken pool must stay possible. */
export const IMPACT_REFUSED_PERCENT = 30;
export const ATTEMPTS_MAX = 3;

const TOKEN_RENT_LAMPORTS = 2_039_280n;
/** Token-2022 accounts are larger by what their mint's extensions need; this covers the usual ones. */
const TOKEN_2022_RENT_LAMPORTS = 2_500_000n;

/** The most that the token account of a mint can lock up; exact for the Token program. */
export function rentCeiling(tokenProgram: string): bigint {
  return isRentMaximum(tokenProgram) ? TOKEN_2022_RENT_LAMPORTS : TOKEN_RENT_LAMPORTS;
}

/** Whether the account may lock up less. */
export function isRentMaximum(tokenProgram: string): boolean {
  return tokenProgram !== TOKEN_PROGRAM;
}

export type ImpactLevel = 'ok' | 'warn' | 'refused';

export function impactLevel(percent: number): ImpactLevel {
  if (percent >= IMPACT_REFUSED_PERCENT) return 'refused';
  return percent >= IMPACT_WARN_PERCENT ? 'warn' : 'ok';
}
