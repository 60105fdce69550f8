import { printFixed, rescale } from '../numbers/decimal.ts';
import { NO_VALUE, readDisplayNumber, type DisplayValue } from './display-number.ts';
import { groupThousands } from './group-thousands.ts';
import { printTiny } from './tiny-amount.ts';
import { absolute, type Rounding } from '../numbers/rounding.ts';

/** Two decimals from 1 SOL, thousands apart, four from 0.001; less reads "<0.001 SOL", and a loss of less in its digits, as "-0.00012 SOL". */
export function formatSol(value: DisplayValue, rounding: Rounding = 'nearest', plus: '' | '+' = ''): string {
  const number = readDisplayNumber(value);
  if (number === null) return NO_VALUE;
  if (number.digits === 0n) return '0 SOL';
  const sign = number.digits < 0n ? '-' : plus;
  const digits = absolute(number.digits);
  const { scale } = number;
  if (digits * 1_000n < 10n ** BigInt(scale))
    return sign === '' ? '<0.001 SOL' : `${sign}${printTiny(digits, scale)} SOL`;
  // The rounded text decides, so that 0.99996 reads 1.00 and not 1.0000.
  const places = rescale(digits, scale, 4, rounding) >= 10_000n ? 2 : 4;
  return `${sign}${groupThousands(printFixed(digits, scale, places, rounding))} SOL`;
}

/** A gain or loss: a gain has its plus, and one of less than 0.001 its digits, as a loss has. */
export function formatSolChange(value: DisplayValue): string {
  return formatSol(value, 'nearest', '+');
}
