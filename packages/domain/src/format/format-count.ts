import { printWithSuffix } from './compact-number.ts';
import { printFixed } from '../numbers/decimal.ts';
import { NO_VALUE, readDisplayNumber, type DisplayValue } from './display-number.ts';
import { absolute } from '../numbers/rounding.ts';

/** Whole below a thousand, then K, M and B with two decimals. */
export function formatCount(value: DisplayValue): string {
  const number = readDisplayNumber(value);
  if (number === null) return NO_VALUE;
  const digits = absolute(number.digits);
  const text = printWithSuffix(digits, number.scale, 0) ?? printFixed(digits, number.scale, 0, 'nearest');
  return number.digits < 0n && text !== '0' ? `-${text}` : text;
}
