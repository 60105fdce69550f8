import { AppError } from './app-error.ts';
import { parseDecimal, printDecimal } from './decimal.ts';

/** An amount of one token in its base units, together with what is needed to read it. */
export type TokenAmount = { readonly mint: string; readonly decimals: number; readonly raw: bigint };

export const TOKEN_RAW_MAX = 2n ** 64n - 1n;
const TOKEN_DECIMALS_MAX = 255;

export function tokenAmount(mint: string, decimals: number, raw: bigint): TokenAmount {
  if (!Number.isInteger(decimals) || decimals < 0 || decimals > TOKEN_DECIMALS_MAX) {
    throw new AppError('TOKEN_DECIMALS_INVALID', { decimals });
  }
  if (raw < 0n || raw > TOKEN_RAW_MAX) throw new AppError('TOKEN_AMOUNT_OUT_OF_RANGE', { raw });
  return { mint, decimals, raw };
}

export function parseTokenAmount(mint: string, decimals: number, text: string): TokenAmount {
  return tokenAmount(mint, decimals, parseDecimal(text, decimals));
}

export function printTokenAmount(amount: TokenAmount): string {
  return printDecimal(amount.raw, amount.decimals);
}

export function addTokenAmounts(left: TokenAmount, right: TokenAmount): TokenAmount {
  requireSameToken(left, right);
  return tokenAmount(left.mint, left.decimals, left.raw + right.raw);
}

/** Throws rather than going below zero: nobody holds less than nothing. */
export function subtractTokenAmounts(left: TokenAmount, right: TokenAmount): TokenAmount {
  requireSameToken(left, right);
  return tokenAmount(left.mint, left.decimals, left.raw - right.raw);
}

function requireSameToken(left: TokenAmount, right: TokenAmount): void {
  if (left.mint !== right.mint || left.decimals !== right.decimals) {
    throw new AppError('TOKEN_MISMATCH', {
      left: `${left.mint}/${left.decimals}`,
      right: `${right.mint}/${right.decimals}`,
    });
  }
}
