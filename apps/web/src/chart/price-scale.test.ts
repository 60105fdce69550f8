import { describe, expect, it } from 'vitest';
import { axisFormat, paneRange, pricePrecision, withLevels } from './price-scale.ts';

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
    ['0.00412', '0.0₂412'],
    ['0.0412', '0.0412'],
    ['0.0000', '0.0000'],
    ['12.0001', '12.0001'],
  ])('folds the zeros of %s to %s beside a price of 0.0004', (value, text) => {
    expect(axisFormat(0.0004)(value)).toBe(text);
  });

  it('leaves two zeros as they are beside a larger price', () => {
    expect(axisFormat(0.002)('0.00412')).toBe('0.00412');
    expect(axisFormat(3)(1)).toBe('1');
  });

  it.each([
    [41_270_000, '41,270,000.00', '41.270M'],
    [41_270_000, '950,000.00', '0.950M'],
    [12_500, '12,500.00', '12.500K'],
    [2_100_000_000, '2100000000', '2.1000B'],
    [41_270_000, '53.2100', '53.2100'],
    [41_270_000, '1.2K', '1.2K'],
  ])('writes an axis around %s in one unit: %s as %s', (price, value, text) => {
    expect(axisFormat(price)(value)).toBe(text);
  });

  it('gives many bars the whole pane and few of them a part of it', () => {
    expect(paneRange(1, 2, 100)).toEqual({ low: 1, high: 2 });
    const one = paneRange(1, 2, 1);
    expect(one.high - one.low).toBeGreaterThan(2);
    expect(one.low).toBeGreaterThan(0);
  });

  it('widens the pane to levels that are near, and leaves far ones out', () => {
    expect(withLevels({ low: 10, high: 20 }, [8, 28, 5, 50, Number.NaN])).toEqual({ low: 8, high: 28 });
    expect(withLevels({ low: 10, high: 20 }, [])).toEqual({ low: 10, high: 20 });
  });

  it('has a range without bars', () => {
    expect(paneRange(0, 10, 0)).toEqual({ low: 1, high: 10 });
  });

  it('does not magnify noise to the height of the pane', () => {
    const { low, high } = paneRange(100, 100.001, 200);
    expect(high - low).toBeCloseTo(0.2, 5);
  });
});
