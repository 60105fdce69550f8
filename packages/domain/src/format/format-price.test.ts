import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatPrice, isPriced, priceParts } from './format-price.ts';

describe('the price of a token', () => {
  it.each([
    ['0.0004127', '$0.0₃4127'],
    ['0.00041', '$0.0₃4100'],
    ['0.000099996', '$0.0₃1000'],
    ['0.00099994', '$0.0₃9999'],
    ['0.000001234', '$0.0₅1234'],
    ['0.00000000001', '$0.0₁₀1000'],
    [-1.5e-9, '-$0.0₈1500'],
  ])('counts three zeros and more: %s is %s', (value, text) => {
    expect(formatPrice(value)).toBe(text);
  });

  it.each([
    ['0.00099996', '$0.001000'],
    ['0.001', '$0.001000'],
    ['0.0012345', '$0.001235'],
    ['0.01234', '$0.01234'],
    ['0.5', '$0.5000'],
    ['0.99994', '$0.9999'],
  ])('keeps four significant digits below a dollar: %s is %s', (value, text) => {
    expect(formatPrice(value)).toBe(text);
  });

  it.each([
    ['0.99996', '$1.000'],
    ['1', '$1.000'],
    ['9.9996', '$10.00'],
    ['12.345', '$12.35'],
    ['163.2', '$163.20'],
    ['67123.456', '$67,123.46'],
    ['999999.99', '$999,999.99'],
    ['1000000', '$1.00M'],
    ['1234567', '$1.23M'],
  ])('is dollars from one on: %s is %s', (value, text) => {
    expect(formatPrice(value)).toBe(text);
  });

  it('shows what is no price as a dash', () => {
    for (const value of ['0', '0.000', 0, null, undefined, '', 'abc', Number.NaN]) {
      expect(formatPrice(value)).toBe('-');
      expect(isPriced(value)).toBe(false);
    }
    expect(isPriced('0.000000000000000001')).toBe(true);
  });

  it('comes in parts, so that a page can lower the zero count', () => {
    expect(priceParts('0.0004127')).toEqual({ sign: '', prefix: '$', head: '0.0', zeros: 3, tail: '4127' });
  });

  it('is never off by more than one part in a thousand, and keeps four digits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 15n }), fc.integer({ min: 10, max: 40 }), (digits, scale) => {
        const text = digits.toString().padStart(scale + 1, '0');
        const { head, zeros, tail } = priceParts(`${text.slice(0, -scale)}.${text.slice(-scale)}`);
        const shown = zeros === null ? head.replaceAll(',', '') : `0.${'0'.repeat(zeros)}${tail}`;
        expect(shown.replace('.', '').replace(/^0+/, '').length).toBeGreaterThanOrEqual(4);
        const shownScale = shown.length - shown.indexOf('.') - 1;
        const difference = BigInt(shown.replace('.', '')) * 10n ** BigInt(scale) - digits * 10n ** BigInt(shownScale);
        const magnitude = difference < 0n ? -difference : difference;
        expect(magnitude * 1_000n <= digits * 10n ** BigInt(shownScale)).toBe(true);
      }),
    );
  });
});
