import { InvariantError } from './invariant-error.ts';
import { parseDecimal } from './decimal.ts';
import type { Lamports } from './lamports.ts';

/** An amount of a token in its smallest unit. Which token, and how many decimals it has, is known where it is used. */
export type BaseUnits = bigint & { readonly unit: 'base-units' };

/** What a swap takes or gives: lamports on one side, base units of a token on the other. */
export type SwapAmount = Lamports | BaseUnits;

const BASE_UNITS_MAX = 2n ** 64n - 1n;

/** The only door to the type. Nobody holds less than nothing, and no token account holds more than 64 bits. */
export function baseUnits(raw: bigint): BaseUnits {
  if (raw < 0n || raw > BASE_UNITS_MAX) throw new InvariantError('TOKEN_AMOUNT_OUT_OF_RANGE', { raw });
  return raw as BaseUnits;
}

/** Refuses text finer than the token's smallest unit rather than losing the rest. */
export function parseTokens(text: string, decimals: number): BaseUnits {
  return baseUnits(parseDecimal(text, decimals));
}
