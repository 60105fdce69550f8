import { expect, it } from 'vitest';
import { cleanDecimalText, hasTooManyDecimals } from './decimal-text.ts';

it.each([
  ['', 9, ''],
  ['0.5', 9, '0.5'],
  ['.5', 9, '0.5'],
  ['1,25', 9, '1.25'],
  ['007', 9, '7'],
  ['0', 9, '0'],
  ['1.', 9, '1.'],
  ['1 000', 9, '1000'],
  ['1,234.5', 9, '1234.5'],
  ['1,234,567', 9, '1234567'],
  ['1,2345.6', 9, null],
  ['１２．５', 9, '12.5'],
  ['0。5', 9, '0.5'],
  ['1.123456789', 9, '1.123456789'],
  ['1.1234567891', 9, null],
  ['1.1234567890', 9, '1.123456789'],
  ['1.5', 0, null],
  ['1.00', 0, '1'],
  ['1.', 0, null],
  ['0.5 SOL', 9, null],
  ['1e5', 9, null],
  ['-1', 9, null],
  ['1.2.3', 9, null],
])('typing %j with %i decimals gives %j', (typed, decimals, text) => {
  expect(cleanDecimalText(typed, decimals)).toBe(text);
});

it.each([
  ['0.5 SOL', 'SOL', '0.5'],
  ['◎0.5', 'SOL', '0.5'],
  ['sol 1,234.5', 'SOL', '1234.5'],
  ['$0.5', 'SOL', null],
  ['$1,234.5', 'USD', '1234.5'],
  ['0.5 USD', 'USD', '0.5'],
  ['＄3', 'USD', '3'],
  ['0.5 SOL', 'USD', null],
] as const)('takes %j into a field of %s as %j', (typed, unit, text) => {
  expect(cleanDecimalText(typed, 9, unit)).toBe(text);
});

it('tells a number with too many decimals from what is no number', () => {
  expect(hasTooManyDecimals('1.1234567891 SOL', 9, 'SOL')).toBe(true);
  expect(hasTooManyDecimals('1.5', 0)).toBe(true);
  expect(hasTooManyDecimals('1.1234567890', 9)).toBe(false);
  expect(hasTooManyDecimals('1.2.3', 9)).toBe(false);
});
