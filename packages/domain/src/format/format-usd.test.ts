import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DisplayValue } from './display-number.ts';
import { printUsdParts, usdParts } from './format-usd.ts';

const formatUsd = (value: DisplayValue): string => printUsdParts(usdParts(value));

describe('a dollar amount', () => {
  it.each([
    ['1000', '$1.00K'],
    ['1234.5', '$1.23K'],
    ['999999', '$1.00M'],
    ['999994', '$999.99K'],
    ['999995', '$1.00M'],
    ['1234567', '$1.23M'],
    ['999994999', '$999.99M'],
    ['999995000', '$1.00B'],
    ['1e9', '$1.00B'],
    ['2345678901', '$2.35B'],
    ['1234567890123', '$1234.57B'],
  ])('takes a suffix and two decimals from a thousand: %s is %s', (value, text) => {
    expect(formatUsd(value)).toBe(text);
  });

  it.each([
    ['999.995', '$999.9950'],
    ['999.99994', '$999.9999'],
    ['999.99995', '$1.00K'],
    ['12.34567', '$12.3457'],
    ['1', '$1.0000'],
    ['0.5', '$0.5000'],
    ['0.00012345', '$0.0001'],
    ['0.0001', '$0.0001'],
  ])('has four decimals below a thousand: %s is %s', (value, text) => {
    expect(formatUsd(value)).toBe(text);
  });

  it.each([
    ['0.00009999', '$0.00009999'],
    ['0.000099996', '$0.0001'],
    ['0.00001', '$0.00001'],
    ['0.000012344', '$0.00001234'],
    ['0.000012346', '$0.00001235'],
  ])('keeps four digits down to 0.00001, where four decimals would read as zero: %s is %s', (value, text) => {
    expect(formatUsd(value)).toBe(text);
  });

  it.each([
    ['0.000001234', '$0.0₅1234'],
    ['0.000009999', '$0.0₅9999'],
    ['0.0000099999', '$0.00001'],
    ['0.00000123456', '$0.0₅1235'],
    ['0.000005', '$0.0₅5'],
    ['0.00000000001', '$0.0₁₀1'],
    ['0.000000000000000000012', '$0.0₁₉12'],
    [1e-7, '$0.0₆1'],
    [-1.5e-9, '-$0.0₈15'],
  ])('counts the zeros of anything smaller: %s is %s', (value, text) => {
    expect(formatUsd(value)).toBe(text);
  });

  it('puts the sign before the dollar', () => {
    expect(formatUsd('-1234.5')).toBe('-$1.23K');
    expect(formatUsd(-0.5)).toBe('-$0.5000');
  });

  it('shows zero as zero and nothing as a dash', () => {
    expect(formatUsd('0')).toBe('$0.00');
    expect(formatUsd('-0.000')).toBe('$0.00');
    for (const value of [null, undefined, '', ' ', 'abc', '1e', '1e5000', '1e2e3', Number.NaN, Infinity]) {
      expect(formatUsd(value)).toBe('-');
    }
  });

  it('comes in parts, so that a page can lower the zero count', () => {
    expect(usdParts('0.000001234')).toEqual({ sign: '', prefix: '$', head: '0.0', zeros: 5, tail: '1234' });
    expect(usdParts('-1500')).toEqual({ sign: '-', prefix: '$', head: '1.50K', zeros: null, tail: '' });
    expect(usdParts(null)).toEqual({ sign: '', prefix: '', head: '-', zeros: null, tail: '' });
  });

  it('stays within half a unit of its last digit for every small price', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 15n }), fc.integer({ min: 21, max: 40 }), (digits, scale) => {
        const { head, zeros, tail } = usdParts(`0.${digits.toString().padStart(scale, '0')}`);
        const shown = zeros === null ? head : `0.${'0'.repeat(zeros)}${tail}`;
        const shownScale = shown.length - 2;
        const shownDigits = BigInt(shown.replace('.', ''));
        const difference = shownDigits * 10n ** BigInt(scale) - digits * 10n ** BigInt(shownScale);
        const magnitude = difference < 0n ? -difference : difference;
        // Four significant digits: off by less than one part in a thousand.
        expect(magnitude * 1_000n <= digits * 10n ** BigInt(shownScale)).toBe(true);
      }),
    );
  });

  it('never prints a thousand without its suffix, and never an exponent', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, min: -1e12, max: 1e12 }), (value) => {
        expect(formatUsd(value)).toMatch(/^-?\$(\d{1,3}(\.\d+)?[KM]?|\d{1,4}\.\d\dB|0\.0[₀-₉]+\d{1,4})$/u);
      }),
    );
  });
});
