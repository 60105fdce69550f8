import { printPadded, rescale } from '../numbers/decimal.ts';
import type { Rounding } from '../numbers/rounding.ts';

const SUFFIXES = ['', 'K', 'M', 'B'] as const;

/**
 * Prints a non-negative amount with K, M or B and two decimals, or null when it stays below a thousand. The rounded text decides
 * the suffix, so that 999 999 reads 1.00M and never 1000.00K.
 */
export function printWithSuffix(
  digits: bigint,
  scale: number,
  placesBelowThousand: number,
  rounding: Rounding = 'nearest',
): string | null {
  const asShown = rescale(digits, scale, placesBelowThousand, rounding);
  if (asShown < 1_000n * 10n ** BigInt(placesBelowThousand)) return null;
  for (let power = 1; ; power += 1) {
    const hundredths = rescale(digits, scale + power * 3, 2, rounding);
    if (hundredths < 100_000n || power === SUFFIXES.length - 1) {
      return `${printPadded(hundredths, 2)}${SUFFIXES[power]}`;
    }
  }
}
