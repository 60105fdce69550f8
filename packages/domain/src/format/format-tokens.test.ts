import { describe, expect, it } from 'vitest';
import { formatTokens } from './format-tokens.ts';

describe('a quantity of tokens', () => {
  it.each([
    ['181240.5', '181.24K'],
    ['1000000000', '1.00B'],
    ['999.99999', '1.00K'],
    ['999.5', '999.5'],
    ['12', '12'],
    ['100', '100'],
    ['0.00019', '0.0001'],
    ['0.0001', '0.0001'],
    ['0.000001', '<0.0001'],
    ['-3.25', '-3.25'],
    ['-0.000012', '-0.000012'],
    ['0', '0'],
    ['0.000000', '0'],
    [null, '-'],
    ['abc', '-'],
  ])('%s is %s', (value, text) => {
    expect(formatTokens(value)).toBe(text);
  });

  it('is never shown as more than it is where that would promise too much', () => {
    expect(formatTokens('2475', 'floor')).toBe('2.47K');
    expect(formatTokens('999999', 'floor')).toBe('999.99K');
  });
});
