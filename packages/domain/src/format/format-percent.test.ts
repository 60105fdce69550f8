import { describe, expect, it } from 'vitest';
import { formatPercent } from './format-percent.ts';

describe('a percentage', () => {
  it.each([
    ['12.5', '+12.50%'],
    ['-3', '-3.00%'],
    [0.125, '+0.13%'],
    ['0', '0.00%'],
    ['0.004', '0.00%'],
    ['-0.004', '0.00%'],
    ['-0.005', '-0.01%'],
    ['999.995', '+1000.00%'],
    ['9999.99', '+9999.99%'],
    ['9999.995', '+10.00K%'],
    ['123456', '+123.46K%'],
    ['-12345678', '-12.35M%'],
    ['5e9', '+5.00B%'],
    [null, '-'],
    [undefined, '-'],
    ['', '-'],
    ['n/a', '-'],
    [Number.NaN, '-'],
  ])('%s is shown as %s', (value, text) => {
    expect(formatPercent(value)).toBe(text);
  });
});
