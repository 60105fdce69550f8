import { printDecimal, rescale } from '../numbers/decimal.ts';

const SIGNIFICANT_DIGITS = 2;
/** Those of SOL and of most tokens. */
const PLACES_MAX = 9;

/** A positive amount smaller than its format shows, in two digits after its zeros. At most nine decimals, and never zero. */
export function printTiny(digits: bigint, scale: number): string {
  const places = Math.min(PLACES_MAX, scale - digits.toString().length + SIGNIFICANT_DIGITS);
  const rounded = rescale(digits, scale, places, 'nearest');
  return printDecimal(rounded === 0n ? 1n : rounded, places);
}
