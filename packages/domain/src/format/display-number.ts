import { readAnyDecimal, type Decimal } from '../numbers/decimal.ts';

/** What a screen may be asked to show: text off the wire, a chart's number, or nothing. */
export type DisplayValue = string | number | null | undefined;

/** Shown where there is no value. Missing is never shown as zero. */
export const NO_VALUE = '-';

/** Beyond every double; a longer exponent would only cost memory. */
const EXPONENT_MAX = 400;

/** Reads a value exactly, JavaScript's own exponent form included; null where there is nothing to show. */
export function readDisplayNumber(value: DisplayValue): Decimal | null {
  // What is missing or not finite spells a word, which is no number.
  const text = String(value).trim().toLowerCase();
  const [mantissa, exponentText, ...rest] = text.split('e') as [string, ...string[]];
  if (rest.length > 0) return null;
  const reading = readAnyDecimal(mantissa);
  if (!reading.ok) return null;
  if (exponentText === undefined) return reading.value;
  if (!/^[-+]?\d{1,3}$/.test(exponentText)) return null;
  const exponent = Number(exponentText);
  if (Math.abs(exponent) > EXPONENT_MAX) return null;
  const { digits, scale } = reading.value;
  const shifted = scale - exponent;
  return shifted >= 0 ? { digits, scale: shifted } : { digits: digits * 10n ** BigInt(-shifted), scale: 0 };
}
