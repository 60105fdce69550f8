import { InvariantError } from '../invariant-error.ts';
import { divide, type Rounding } from './rounding.ts';

export type DecimalProblem = 'empty' | 'not-a-number' | 'exponent' | 'too-long' | 'too-precise';

export type DecimalReading = { ok: true; raw: bigint } | { ok: false; problem: DecimalProblem };

/** A number of any precision: `digits ÷ 10^scale`. */
export type Decimal = { digits: bigint; scale: number };

/** Long enough for any amount of any token in any currency; a limit, so that hostile text costs nothing. */
export const DECIMAL_TEXT_LENGTH_MAX = 100;

const ZERO = '0'.charCodeAt(0);
const PLAIN = /^-?\d+(?:\.\d+)?$/;
const EXPONENT = /^[-+]?\d*\.?\d+e[-+]?\d+$/i;

/** Kept, because working one out takes longer than the multiplication or division it is for. */
const powers = Array.from({ length: 40 }, (_, exponent) => 10n ** BigInt(exponent));

export function powerOfTen(exponent: number): bigint {
  return powers[exponent] ?? 10n ** BigInt(exponent);
}

/** Reads plain decimal text of any precision. The forms `.5`, `5.`, `+5` and `5e1` are refused: one number, one spelling. */
export function readAnyDecimal(text: string): { ok: true; value: Decimal } | { ok: false; problem: DecimalProblem } {
  if (text === '') return { ok: false, problem: 'empty' };
  if (text.length > DECIMAL_TEXT_LENGTH_MAX) return { ok: false, problem: 'too-long' };
  if (!PLAIN.test(text)) return { ok: false, problem: EXPONENT.test(text) ? 'exponent' : 'not-a-number' };
  const point = text.indexOf('.');
  if (point === -1) return { ok: true, value: { digits: BigInt(text), scale: 0 } };
  const fraction = text.slice(point + 1);
  return { ok: true, value: { digits: BigInt(text.slice(0, point) + fraction), scale: fraction.length } };
}

/** Reads text into an integer of `10^-decimals` units. Digits that would be lost are a problem, zeros beyond the precision are not. */
export function readDecimal(text: string, decimals: number): DecimalReading {
  const reading = readAnyDecimal(text);
  if (!reading.ok) return reading;
  const { digits, scale } = reading.value;
  if (scale <= decimals) return { ok: true, raw: digits * powerOfTen(decimals - scale) };
  const unit = powerOfTen(scale - decimals);
  return digits % unit === 0n ? { ok: true, raw: digits / unit } : { ok: false, problem: 'too-precise' };
}

/** For text that was already checked at the edge; use `readDecimal` where a person may have mistyped. */
export function parseDecimal(text: string, decimals: number): bigint {
  const reading = readDecimal(text, decimals);
  if (!reading.ok)
    throw new InvariantError('DECIMAL_INVALID', { text: text.slice(0, 40), decimals, problem: reading.problem });
  return reading.raw;
}

/** The shortest exact text: no trailing zeros, no exponent, no sign on zero. */
export function printDecimal(raw: bigint, decimals: number): string {
  const text = printPadded(raw, decimals);
  if (decimals === 0) return text;
  const point = text.length - decimals - 1;
  let end = text.length;
  while (text.charCodeAt(end - 1) === ZERO) end -= 1;
  return text.slice(0, end - 1 === point ? point : end);
}

/** Exactly `places` digits after the point. */
export function printFixed(raw: bigint, decimals: number, places: number, rounding: Rounding): string {
  return printPadded(rescale(raw, decimals, places, rounding), places);
}

/** `numerator ÷ denominator` with at most `places` digits after the point, trailing zeros dropped. */
export function printRatio(numerator: bigint, denominator: bigint, places: number, rounding: Rounding): string {
  return printDecimal(divide(numerator * powerOfTen(places), denominator, rounding), places);
}

/** `part ÷ whole` in percent points, the form of every percentage on the wire: one eighth is "12.5". */
export function printPercentOf(part: bigint, whole: bigint, places: number, rounding: Rounding): string {
  return printRatio(part * 100n, whole, places, rounding);
}

/** The exact product of two decimal texts, rounded once to `places`. USD is SOL times a price. */
export function multiplyDecimals(left: string, right: string, places: number, rounding: Rounding): string {
  const a = parseAnyDecimal(left);
  const b = parseAnyDecimal(right);
  return printDecimal(rescale(a.digits * b.digits, a.scale + b.scale, places, rounding), places);
}

/** The quotient of two decimal texts, rounded once to `places`. */
export function divideDecimals(left: string, right: string, places: number, rounding: Rounding): string {
  const a = parseAnyDecimal(left);
  const b = parseAnyDecimal(right);
  return printRatio(a.digits * powerOfTen(b.scale), b.digits * powerOfTen(a.scale), places, rounding);
}

/** The exact sum of decimal texts; an empty list adds up to "0". */
export function addDecimals(...texts: readonly string[]): string {
  const values = texts.map(parseAnyDecimal);
  const scale = Math.max(0, ...values.map((value) => value.scale));
  const sum = values.reduce((total, value) => total + value.digits * powerOfTen(scale - value.scale), 0n);
  return printDecimal(sum, scale);
}

/** The exact difference of two decimal texts. */
export function subtractDecimals(left: string, right: string): string {
  const a = parseAnyDecimal(left);
  const b = parseAnyDecimal(right);
  const scale = Math.max(a.scale, b.scale);
  return printDecimal(a.digits * powerOfTen(scale - a.scale) - b.digits * powerOfTen(scale - b.scale), scale);
}

export function compareDecimals(left: string, right: string): -1 | 0 | 1 {
  const a = parseAnyDecimal(left);
  const b = parseAnyDecimal(right);
  const difference = a.digits * powerOfTen(b.scale) - b.digits * powerOfTen(a.scale);
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}

/** Changes the number of decimals of an integer amount; only a smaller number of decimals rounds. */
export function rescale(raw: bigint, decimals: number, places: number, rounding: Rounding): bigint {
  if (places >= decimals) return raw * powerOfTen(places - decimals);
  return divide(raw, powerOfTen(decimals - places), rounding);
}

function parseAnyDecimal(text: string): Decimal {
  const reading = readAnyDecimal(text);
  if (!reading.ok) {
    throw new InvariantError('DECIMAL_INVALID', {
      text: text.slice(0, 40),
      decimals: DECIMAL_TEXT_LENGTH_MAX,
      problem: reading.problem,
    });
  }
  return reading.value;
}

/** Exactly `decimals` digits after the point, none of them rounded. */
export function printPadded(raw: bigint, decimals: number): string {
  if (decimals === 0) return raw.toString();
  const sign = raw < 0n ? '-' : '';
  const digits = (raw < 0n ? -raw : raw).toString().padStart(decimals + 1, '0');
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}
