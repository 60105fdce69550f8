// A bound of a filter as traders type it: "10k", "1.5m", "$100", "0.5 SOL", and for an age "2h".
import { DISCOVER_FIELDS } from '@hunter/domain/market/discover';
import type { DiscoverField } from '@hunter/domain/market/discover';
import { multiplyDecimals, readDecimal } from '@hunter/domain/numbers/decimal';
import { cleanDecimalText, unitMarks } from '../../ui/decimal-text.ts';

/** What the bound is, empty for none, or what is wrong with it. */
type TypedBound =
  | { value: string; problem: null }
  | { value: null; problem: 'notNumber' | 'notAmount' | 'notTime' | 'negative' | 'decimals' | 'whole' | 'large' };

const units = {
  usd: unitMarks.USD,
  sol: unitMarks.SOL,
  percent: /%$/,
  count: null,
  minutes: null,
} as const;
const multiples: Readonly<Record<string, string>> = {
  k: '1000',
  m: '1000000',
  b: '1000000000',
  万: '10000',
  亿: '100000000',
};
const minutes: Readonly<Record<string, string>> = {
  m: '1',
  min: '1',
  分钟: '1',
  h: '60',
  小时: '60',
  d: '1440',
  天: '1440',
};
/** As the address of the page keeps them. */
const DECIMALS_MAX = 6;
const DIGITS_MAX = 15;

export function decimalsOf(field: DiscoverField): number {
  return Math.min(DISCOVER_FIELDS[field].decimals, DECIMALS_MAX);
}

export function readTypedBound(typed: string, field: DiscoverField): TypedBound {
  const { unit } = DISCOVER_FIELDS[field];
  const plain = typed.normalize('NFKC').replace(/[\s_]/g, '').replace(/^[−–]/, '-');
  const [, minus = '', unsigned = ''] = /^(-?)(.*)$/.exec(plain) ?? [];
  const unitless = units[unit] ? unsigned.replace(units[unit], '') : unsigned;
  const [, number = '', suffix = ''] = /^([\d.,。]*)(.*)$/.exec(unitless) ?? [];
  if (number === '' && suffix === '') return { value: '', problem: null };
  const factor = suffix === '' ? '1' : (unit === 'minutes' ? minutes : multiples)[suffix.toLowerCase()];
  // Of "10,000" the comma is none of decimals: bounds are large and round.
  const digits = /^[1-9]\d{0,2}(,\d{3})+(\.|$)/.test(number) ? number.replace(/,/g, '') : number;
  const text = factor === undefined ? null : cleanDecimalText(digits, Infinity)?.replace(/\.$/, '');
  if (!text || factor === undefined) {
    const problem = unit === 'minutes' ? 'notTime' : unit === 'percent' ? 'notNumber' : 'notAmount';
    return { value: null, problem };
  }
  // Only a change can be below zero.
  if (minus !== '' && field !== 'change') return { value: null, problem: 'negative' };
  const value = multiplyDecimals(`${minus}${text}`, factor, 40, 'floor');
  const decimals = decimalsOf(field);
  if (!readDecimal(value, decimals).ok) return { value: null, problem: decimals === 0 ? 'whole' : 'decimals' };
  if (value.replace(/^-|\..*$/g, '').length > DIGITS_MAX) return { value: null, problem: 'large' };
  return { value, problem: null };
}
