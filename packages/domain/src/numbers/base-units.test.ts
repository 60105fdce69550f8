import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { baseUnits, printTokens } from './base-units.ts';
import { parseDecimal } from './decimal.ts';

const BASE_UNITS_MAX = 2n ** 64n - 1n;

describe('base units', () => {
  it('pass their checked door only within an unsigned 64-bit range', () => {
    expect(baseUnits(0n)).toBe(0n);
    expect(baseUnits(BASE_UNITS_MAX)).toBe(BASE_UNITS_MAX);
    expect(() => baseUnits(-1n)).toThrow('TOKEN_AMOUNT_OUT_OF_RANGE: raw=-1');
    expect(() => baseUnits(BASE_UNITS_MAX + 1n)).toThrow('TOKEN_AMOUNT_OUT_OF_RANGE');
  });

  it('are shown exactly, whatever the decimals', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: BASE_UNITS_MAX }), fc.integer({ min: 0, max: 18 }), (raw, decimals) => {
        expect(parseDecimal(printTokens(raw, decimals)!, decimals)).toBe(raw);
      }),
    );
  });

  it('are not shown where the decimals of the token are not known', () => {
    expect(printTokens(5n, null)).toBeNull();
    expect(printTokens(5n, 0)).toBe('5');
  });
});
