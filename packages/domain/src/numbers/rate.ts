import { printPercentOf } from './decimal.ts';
import { divide, type Rounding } from './rounding.ts';

/** A return or a share as an integer with 18 decimals: 0.25 is 25 × 10^16. May be negative. */
export type Rate = bigint & { readonly unit: 'rate' };

export const RATE_ONE = (10n ** 18n) as Rate;

export function rate(raw: bigint): Rate {
  return raw as Rate;
}

export function rateOf(numerator: bigint, denominator: bigint, rounding: Rounding = 'nearest'): Rate {
  return rate(divide(numerator * RATE_ONE, denominator, rounding));
}

/** In percent points with at most four decimals, the form of the wire; nothing stays nothing. */
export function printRatePercent(value: Rate | null): string | null {
  return value === null ? null : printPercentOf(value, RATE_ONE, 4, 'nearest');
}
