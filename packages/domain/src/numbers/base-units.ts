import { InvariantError } from '../invariant-error.ts';
import { printDecimal } from './decimal.ts';

/** An amount of a token in its smallest unit. Which token, and how many decimals it has, is known where it is used. */
export type BaseUnits = bigint & { readonly unit: 'base-units' };

const BASE_UNITS_MAX = 2n ** 64n - 1n;

/** The only door to the type. Nobody holds less than nothing, and no token account holds more than 64 bits. */
export function baseUnits(raw: bigint): BaseUnits {
  if (raw < 0n || raw > BASE_UNITS_MAX) throw new InvariantError('TOKEN_AMOUNT_OUT_OF_RANGE', { raw });
  return raw as BaseUnits;
}

/** Decimal text in whole tokens; null where the token's decimals are not known, because a guess would be wrong by powers of ten. */
export function printTokens(amount: bigint, decimals: number | null): string | null {
  return decimals === null ? null : printDecimal(amount, decimals);
}
