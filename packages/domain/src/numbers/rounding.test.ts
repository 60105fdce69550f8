import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { absolute, divCeil, divFloor, divide, larger, mulDiv, smaller, squareRoot } from './rounding.ts';

const nonZero = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).filter((value) => value !== 0n);
const any = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });

describe('integer division', () => {
  it('rounds down and up on both sides of zero', () => {
    expect(divFloor(7n, 2n)).toBe(3n);
    expect(divFloor(-7n, 2n)).toBe(-4n);
    expect(divFloor(7n, -2n)).toBe(-4n);
    expect(divFloor(-7n, -2n)).toBe(3n);
    expect(divCeil(7n, 2n)).toBe(4n);
    expect(divCeil(-7n, 2n)).toBe(-3n);
    expect(divCeil(6n, 2n)).toBe(3n);
  });

  it('rounds halves away from zero when asked for the nearest', () => {
    expect(divide(5n, 2n, 'nearest')).toBe(3n);
    expect(divide(-5n, 2n, 'nearest')).toBe(-3n);
    expect(divide(4n, 3n, 'nearest')).toBe(1n);
    expect(divide(-5n, 3n, 'nearest')).toBe(-2n);
    expect(divide(5n, -3n, 'nearest')).toBe(-2n);
    expect(divide(-5n, -3n, 'nearest')).toBe(2n);
  });

  it('tells the smaller, the larger and the absolute of values on both sides of zero', () => {
    expect([smaller(-2n, 1n), smaller(1n, -2n)]).toEqual([-2n, -2n]);
    expect([larger(-2n, 1n), larger(1n, -2n)]).toEqual([1n, 1n]);
    expect([absolute(-2n), absolute(0n), absolute(2n)]).toEqual([2n, 0n, 2n]);
  });

  it('refuses to divide by zero', () => {
    expect(() => divFloor(1n, 0n)).toThrow('DIVISION_BY_ZERO: numerator=1');
    expect(() => divide(1n, 0n, 'nearest')).toThrow('DIVISION_BY_ZERO: numerator=1');
  });

  it('brackets the exact quotient between floor and ceil', () => {
    fc.assert(
      fc.property(any, nonZero, (numerator, denominator) => {
        const low = divFloor(numerator, denominator);
        const high = divCeil(numerator, denominator);
        const sign = denominator < 0n ? -1n : 1n;
        expect(low * denominator * sign <= numerator * sign).toBe(true);
        expect(high * denominator * sign >= numerator * sign).toBe(true);
        expect(high - low).toBe(numerator % denominator === 0n ? 0n : 1n);
      }),
    );
  });

  it('finds the root of a whole number, rounded down', () => {
    expect([-4n, -1n, 0n, 1n, 2n, 3n, 4n, 8n, 9n].map(squareRoot)).toEqual([0n, 0n, 0n, 1n, 1n, 1n, 2n, 2n, 3n]);
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 200n }), (value) => {
        const root = squareRoot(value);
        expect(root * root <= value && value < (root + 1n) * (root + 1n)).toBe(true);
        expect(squareRoot(value * value)).toBe(value);
      }),
    );
  });

  it('keeps the whole product before the one rounding', () => {
    expect(mulDiv(2n ** 63n, 3n, 2n ** 63n, 'floor')).toBe(3n);
    expect(mulDiv(10n, 1n, 3n, 'ceil')).toBe(4n);
  });
});
