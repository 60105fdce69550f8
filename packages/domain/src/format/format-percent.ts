import { printWithSuffix } from './compact-number.ts';
import { printPadded, rescale } from '../numbers/decimal.ts';
import { NO_VALUE, readDisplayNumber, type DisplayValue } from './display-number.ts';
import { absolute } from '../numbers/rounding.ts';

/** From here on digits say less than a suffix does. */
const SUFFIX_FROM_HUNDREDTHS = 10_000n * 100n;

/** The value is in percent points already. What rounds to zero has no sign. */
export function formatPercent(value: DisplayValue): string {
  const number = readDisplayNumber(value);
  if (number === null) return NO_VALUE;
  const digits = absolute(number.digits);
  const hundredths = rescale(digits, number.scale, 2, 'nearest');
  if (hundredths === 0n) return '0.00%';
  const sign = number.digits < 0n ? '-' : '+';
  const suffixed = hundredths >= SUFFIX_FROM_HUNDREDTHS ? printWithSuffix(digits, number.scale, 2) : null;
  return `${sign}${suffixed ?? printPadded(hundredths, 2)}%`;
}
