import { printWithSuffix } from './compact-number.ts';
import { printFixed } from '../numbers/decimal.ts';
import { NO_VALUE, readDisplayNumber, type DisplayValue } from './display-number.ts';
import { printTiny } from './tiny-amount.ts';
import { absolute, type Rounding } from '../numbers/rounding.ts';

/** A quantity of tokens: K, M and B with two decimals, up to four decimals below a thousand, "<0.0001" for dust; minus dust in its digits. */
export function formatTokens(value: DisplayValue, rounding: Rounding = 'nearest'): string {
  const number = readDisplayNumber(value);
  if (number === null) return NO_VALUE;
  const sign = number.digits < 0n ? '-' : '';
  const digits = absolute(number.digits);
  const { scale } = number;
  if (digits === 0n) return '0';
  if (digits * 10_000n < 10n ** BigInt(scale)) return sign === '' ? '<0.0001' : `-${printTiny(digits, scale)}`;
  const suffixed = printWithSuffix(digits, scale, 4, rounding);
  if (suffixed !== null) return `${sign}${suffixed}`;
  return `${sign}${printFixed(digits, scale, 4, 'floor').replace(/\.?0+$/, '')}`;
}
