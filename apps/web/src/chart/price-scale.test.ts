import { describe, expect, it } from 'vitest';
import { foldZeros, pricePrecision } from './price-scale.ts';

describe('the price scale', () => {
  it.each([
    [1_234, 2],
    [1.5, 4],
    [0.0159, 6],
    [0.000_000_41, 11],
    [1e-15, 16],
    [0, 10],
    [Number.NaN, 10],
  ])('shows five digits of %s with %s decimals', (price, decimals) => {
    expect(pricePrecision(price)).toBe(decimals);
  });

  it.each([
    ['0.0004120', '0.0₃4120'],
    ['-0.00000000004', '-0.0₁₀4'],
    ['0.00412', '0.00412'],
    ['0.0000', '0.0000'],
    ['12.0001', '12.0001'],
    [1, '1'],
  ])('folds the zeros of %s to %s', (value, text) => {
    expect(foldZeros(value)).toBe(text);
  });
});
