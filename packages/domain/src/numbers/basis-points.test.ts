import { describe, expect, it } from 'vitest';
import { basisPoints, minimumAfterSlippage, printBasisPoints, shareOf } from './basis-points.ts';

describe('basis points', () => {
  it('run from nothing to the whole', () => {
    expect(basisPoints(0)).toBe(0n);
    expect(basisPoints(10_000n)).toBe(10_000n);
    expect(() => basisPoints(10_001)).toThrow('BASIS_POINTS_OUT_OF_RANGE: raw=10001');
    expect(() => basisPoints(-1n)).toThrow('BASIS_POINTS_OUT_OF_RANGE: raw=-1');
    expect(() => basisPoints(0.5)).toThrow('BASIS_POINTS_OUT_OF_RANGE: raw=0');
    expect(() => basisPoints(2.5)).toThrow('BASIS_POINTS_OUT_OF_RANGE: raw=2');
    expect(() => basisPoints(Number.NaN)).toThrow('BASIS_POINTS_OUT_OF_RANGE: raw=0');
  });

  it('take a share with the rounding they are told', () => {
    expect(shareOf(999n, basisPoints(100), 'floor')).toBe(9n);
    expect(shareOf(999n, basisPoints(100), 'ceil')).toBe(10n);
  });

  it('give the least that may arrive after slippage, rounded up', () => {
    expect(minimumAfterSlippage(1_001n, basisPoints(100))).toBe(991n);
    expect(minimumAfterSlippage(1_001n, basisPoints(0))).toBe(1_001n);
  });

  it('print as percent points', () => {
    expect(printBasisPoints(basisPoints(250))).toBe('2.5');
    expect(printBasisPoints(basisPoints(1))).toBe('0.01');
  });
});
