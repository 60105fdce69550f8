import { printWithSuffix } from './compact-number.ts';
import { printFixed, rescale } from '../numbers/decimal.ts';
import { NO_VALUE, readDisplayNumber, type DisplayValue } from './display-number.ts';
import { printUsdParts, type UsdParts } from './format-usd.ts';
import { groupThousands } from './group-thousands.ts';
import { absolute } from '../numbers/rounding.ts';

const SIGNIFICANT_DIGITS = 4;
/** From three zeros after the point on they are counted instead of printed. */
const ZEROS_PRINTED_MAX = 2;
/** Below this a price keeps all of its dollars: $1.23K would hide what a trader looks for. */
const SUFFIX_FROM = 1_000_000n;

/**
 * The price of one token in dollars. Unlike an amount it always keeps four significant digits, trailing zeros included, so
 * that a price that moves neither hides its movement nor changes its width. Nothing is traded for nothing: zero says that
 * there was no trade yet, and the price is not known.
 */
export function priceParts(value: DisplayValue): UsdParts {
  const number = readDisplayNumber(value);
  if (number === null || number.digits === 0n) return { sign: '', prefix: '', head: NO_VALUE, zeros: null, tail: '' };
  const sign = number.digits < 0n ? '-' : '';
  const digits = absolute(number.digits);
  const { scale } = number;
  const whole = (head: string): UsdParts => ({ sign, prefix: '$', head, zeros: null, tail: '' });

  if (digits >= SUFFIX_FROM * 10n ** BigInt(scale)) {
    // A million always has a suffix.
    return whole(printWithSuffix(digits, scale, 2)!);
  }
  // Rounding may carry into a new digit (0.00099996 is 0.001000), so the places are counted from the rounded number.
  const places = placesFor(digits, scale);
  const rounded = rescale(digits, scale, places, 'nearest');
  const shownPlaces = Math.max(2, placesFor(rounded, places));
  const zeros = shownPlaces - SIGNIFICANT_DIGITS;
  if (zeros <= ZEROS_PRINTED_MAX) return whole(groupThousands(printFixed(rounded, places, shownPlaces, 'nearest')));
  return { sign, prefix: '$', head: '0.0', zeros, tail: rescale(rounded, places, shownPlaces, 'nearest').toString() };
}

/** Whether a token has a price, and with it anything that follows from trades. */
export function isPriced(value: DisplayValue): boolean {
  const number = readDisplayNumber(value);
  return number !== null && number.digits !== 0n;
}

export function formatPrice(value: DisplayValue): string {
  return printUsdParts(priceParts(value));
}

/** Decimal places that show four significant digits; never less than the two of dollars and cents. */
function placesFor(digits: bigint, scale: number): number {
  return Math.max(2, scale - digits.toString().length + SIGNIFICANT_DIGITS);
}
