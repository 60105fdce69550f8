import { describe, expect, it } from 'vitest';
import { readDisplayNumber } from './display-number.ts';

describe('reading a number to show', () => {
  it.each([
    ['12.50', { digits: 1250n, scale: 2 }],
    [' 5 ', { digits: 5n, scale: 0 }],
    [0.125, { digits: 125n, scale: 3 }],
    [-3, { digits: -3n, scale: 0 }],
    ['12e1', { digits: 120n, scale: 0 }],
    ['1.5E+1', { digits: 15n, scale: 0 }],
    [1.5e-9, { digits: 15n, scale: 10 }],
    ['1e400', { digits: 10n ** 400n, scale: 0 }],
    ['1e-400', { digits: 1n, scale: 400 }],
  ])('reads %s exactly', (value, decimal) => {
    expect(readDisplayNumber(value)).toEqual(decimal);
  });

  it.each([
    null,
    undefined,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    '',
    'e5',
    '1e',
    '1e2e3',
    '1e401',
    '1e-401',
    '1e1000',
  ])('finds nothing to show in %s', (value) => {
    expect(readDisplayNumber(value)).toBeNull();
  });
});
