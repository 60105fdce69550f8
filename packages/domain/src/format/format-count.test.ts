import { describe, expect, it } from 'vitest';
import { formatCount } from './format-count.ts';

describe('a count', () => {
  it.each([
    [0, '0'],
    ['999', '999'],
    [1000, '1.00K'],
    ['1234', '1.23K'],
    ['999999', '1.00M'],
    ['999994999', '999.99M'],
    ['999999999', '1.00B'],
    ['1000000000', '1.00B'],
    ['12345678901', '12.35B'],
    [-5, '-5'],
    ['-0.4', '0'],
    ['0.5', '1'],
    [null, '-'],
    ['', '-'],
  ])('%s is shown as %s', (value, text) => {
    expect(formatCount(value)).toBe(text);
  });
});
