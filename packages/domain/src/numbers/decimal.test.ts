import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addDecimals,
  compareDecimals,
  divideDecimals,
  multiplyDecimals,
  parseDecimal,
  printDecimal,
  printFixed,
  printPercentOf,
  printRatio,
  readDecimal,
  subtractDecimals,
} from './decimal.ts';

const raw = fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n });
const decimals = fc.integer({ min: 0, max: 20 });

describe('reading a decimal', () => {
  it('reads whole numbers, fractions and negatives exactly', () => {
    expect(parseDecimal('1.25', 9)).toBe(1_250_000_000n);
    expect(parseDecimal('0', 9)).toBe(0n);
    expect(parseDecimal('-0.000000001', 9)).toBe(-1n);
    expect(parseDecimal('18446744073.709551615', 9)).toBe(2n ** 64n - 1n);
  });

  it('reads a hundred digits', () => {
    expect(parseDecimal('1'.repeat(100), 0)).toBe(BigInt('1'.repeat(100)));
  });

  it('accepts zeros beyond the precision, because nothing is lost', () => {
    expect(parseDecimal('1.2500000000000', 2)).toBe(125n);
  });

  it.each([
    ['', 'empty'],
    [' 1', 'not-a-number'],
    ['1 ', 'not-a-number'],
    ['.5', 'not-a-number'],
    ['5.', 'not-a-number'],
    ['+5', 'not-a-number'],
    ['--5', 'not-a-number'],
    ['1,5', 'not-a-number'],
    ['0x10', 'not-a-number'],
    ['NaN', 'not-a-number'],
    ['Infinity', 'not-a-number'],
    ['١', 'not-a-number'],
    ['1e3', 'exponent'],
    ['1.5E-7', 'exponent'],
    ['0.0000000001', 'too-precise'],
    ['1'.repeat(101), 'too-long'],
  ])('names what is wrong with %j', (text, problem) => {
    expect(readDecimal(text, 9)).toEqual({ ok: false, problem });
    const told = `DECIMAL_INVALID: text=${text.slice(0, 40)}, decimals=9, problem=${problem}`;
    expect(() => parseDecimal(text, 9)).toThrow(told);
  });

  it('gives back what was printed, for every amount and precision', () => {
    fc.assert(
      fc.property(raw, decimals, (amount, places) => {
        expect(parseDecimal(printDecimal(amount, places), places)).toBe(amount);
      }),
    );
  });

  it('answers any text with a reading and never throws', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 120 }), (text) => {
        const reading = readDecimal(text, 9);
        if (reading.ok) expect(compareDecimals(printDecimal(reading.raw, 9), text)).toBe(0);
      }),
    );
  });
});

describe('printing a decimal', () => {
  it('drops trailing zeros and the sign of zero', () => {
    expect(printDecimal(1_250_000_000n, 9)).toBe('1.25');
    expect(printDecimal(100n, 0)).toBe('100');
    expect(printDecimal(100n, 2)).toBe('1');
    expect(printDecimal(0n, 9)).toBe('0');
    expect(printDecimal(-1n, 9)).toBe('-0.000000001');
  });

  it('keeps a fixed number of places when asked', () => {
    expect(printFixed(1_250_000_000n, 9, 4, 'floor')).toBe('1.2500');
    expect(printFixed(1_999_999_999n, 9, 2, 'floor')).toBe('1.99');
    expect(printFixed(1_999_999_999n, 9, 2, 'ceil')).toBe('2.00');
    expect(printFixed(-5n, 3, 2, 'nearest')).toBe('-0.01');
    expect(printFixed(5n, 0, 2, 'nearest')).toBe('5.00');
  });

  it('prints ratios and percentages with the rounding it is told', () => {
    expect(printRatio(1n, 3n, 6, 'floor')).toBe('0.333333');
    expect(printRatio(2n, 3n, 6, 'nearest')).toBe('0.666667');
    expect(printRatio(-1n, 3n, 2, 'floor')).toBe('-0.34');
    expect(printRatio(1n, 8n, 20, 'floor')).toBe('0.125');
    expect(printPercentOf(1n, 8n, 4, 'nearest')).toBe('12.5');
  });
});

describe('arithmetic on decimal texts', () => {
  it('multiplies exactly and rounds once', () => {
    expect(multiplyDecimals('1.25', '143.21', 6, 'nearest')).toBe('179.0125');
    expect(multiplyDecimals('0.000000001', '143.21', 6, 'floor')).toBe('0');
    expect(multiplyDecimals('0.000000001', '143.21', 6, 'ceil')).toBe('0.000001');
    expect(multiplyDecimals('-2', '3.5', 0, 'floor')).toBe('-7');
  });

  it('divides, adds, subtracts and compares without floats', () => {
    expect(divideDecimals('1', '3', 4, 'nearest')).toBe('0.3333');
    expect(divideDecimals('0.3', '0.1', 0, 'floor')).toBe('3');
    expect(addDecimals('0.1', '0.2')).toBe('0.3');
    expect(addDecimals()).toBe('0');
    expect(subtractDecimals('0.3', '0.1')).toBe('0.2');
    expect(subtractDecimals('1', '0.1')).toBe('0.9');
    expect(subtractDecimals('0.1', '1')).toBe('-0.9');
    expect(compareDecimals('0.30', '0.3')).toBe(0);
    expect(compareDecimals('-1', '0.3')).toBe(-1);
    expect(compareDecimals('2', '1.999999999999')).toBe(1);
  });

  it('refuses exponents here too', () => {
    expect(() => multiplyDecimals('1e3', '1', 2, 'floor')).toThrow('text=1e3, decimals=100, problem=exponent');
    const long = '1'.repeat(101);
    expect(() => addDecimals(long)).toThrow(`text=${long.slice(0, 40)}, decimals=100, problem=too-long`);
  });

  it('agrees with integer arithmetic', () => {
    fc.assert(
      fc.property(raw, decimals, raw, decimals, (a, aPlaces, b, bPlaces) => {
        const left = printDecimal(a, aPlaces);
        const right = printDecimal(b, bPlaces);
        expect(multiplyDecimals(left, right, 40, 'floor')).toBe(printDecimal(a * b, aPlaces + bPlaces));
        expect(subtractDecimals(addDecimals(left, right), right)).toBe(left);
      }),
    );
  });
});
