import { expect, it } from 'vitest';
import { cleanDecimalText } from './decimal-text.ts';

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
  ['1.5', 0, null],
  ['1e5', 9, null],
  ['-1', 9, null],
  ['1.2.3', 9, null],
])('typing %j with %i decimals gives %j', (typed, decimals, text) => {
  expect(cleanDecimalText(typed, decimals)).toBe(text);
});
