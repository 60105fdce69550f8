import { printWithSuffix } from './compact-number.ts';
import { printDecimal, printFixed, rescale } from '../numbers/decimal.ts';
import { NO_VALUE, readDisplayNumber, type DisplayValue } from './display-number.ts';
import { absolute } from '../numbers/rounding.ts';

/**
 * A dollar amount in pieces, so that a page can set the zero run as a subscript. Where `zeros` is a number, the text is
 * `head`, then that number small and low, then `tail`: 0.000001234 is "0.0", 5, "1234".
 */
export type UsdParts = { sign: '-' | ''; prefix: '$' | ''; head: string; zeros: number | null; tail: string };

const SIGNIFICANT_DIGITS = 4;
const SUBSCRIPTS = '₀₁₂₃₄₅₆₇₈₉';

export function usdParts(value: DisplayValue): UsdParts {
  const number = readDisplayNumber(value);
  if (number === null) return { sign: '', prefix: '', head: NO_VALUE, zeros: null, tail: '' };
  const sign = number.digits < 0n ? '-' : '';
  const digits = absolute(number.digits);
  const { scale } = number;
  const whole = (head: string): UsdParts => ({ sign, prefix: '$', head, zeros: null, tail: '' });

  if (digits === 0n) return whole('0.00');
  const suffixed = printWithSuffix(digits, scale, 4);
  if (suffixed !== null) return whole(suffixed);
  // Four decimals of anything smaller would read as zero or nearly so, and a price is never zero.
  if (digits * 10_000n >= 10n ** BigInt(scale)) return whole(printFixed(digits, scale, 4, 'nearest'));

  const rounded = roundToSignificant(digits, scale);
  if (rounded.digits * 100_000n >= 10n ** BigInt(rounded.scale)) {
    return whole(printDecimal(rounded.digits, rounded.scale));
  }
  const text = rounded.digits.toString();
  const tail = text.replace(/0+$/, '');
  return { sign, prefix: '$', head: '0.0', zeros: rounded.scale - text.length, tail };
}

/** As plain text, for places that cannot lower a figure: titles, canvases, files. */
export function printUsdParts({ sign, prefix, head, zeros, tail }: UsdParts): string {
  return `${sign}${prefix}${head}${zeros === null ? '' : subscript(zeros)}${tail}`;
}

function roundToSignificant(digits: bigint, scale: number): { digits: bigint; scale: number } {
  const surplus = digits.toString().length - SIGNIFICANT_DIGITS;
  return { digits: rescale(digits, surplus, 0, 'nearest'), scale: scale - surplus };
}

function subscript(count: number): string {
  return count.toString().replace(/\d/g, (digit) => SUBSCRIPTS.charAt(Number(digit)));
}
