import { describe, expect, it } from 'vitest';
import { formatSol } from './format-sol.ts';

describe('a SOL amount', () => {
  it.each([
    ['1', '1.00 SOL'],
    ['1.255', '1.26 SOL'],
    ['12345.678', '12345.68 SOL'],
    ['0.99995', '1.00 SOL'],
    ['0.99994', '0.9999 SOL'],
    ['0.5', '0.5000 SOL'],
    ['0.001', '0.0010 SOL'],
    ['0.00099999', '<0.001 SOL'],
    ['0.000000001', '<0.001 SOL'],
    [1e-9, '<0.001 SOL'],
    ['0', '0 SOL'],
    [0, '0 SOL'],
    ['-0.5', '-0.5000 SOL'],
    ['-2.5', '-2.50 SOL'],
    ['-0.0001', '-<0.001 SOL'],
    ['-0', '0 SOL'],
    [null, '-'],
    [undefined, '-'],
    ['', '-'],
    ['x', '-'],
  ])('%s is shown as %s', (value, text) => {
    expect(formatSol(value)).toBe(text);
  });

  it('is never shown as more than it is where that would promise too much', () => {
    expect(formatSol('1.486', 'floor')).toBe('1.48 SOL');
    expect(formatSol('0.99999', 'floor')).toBe('0.9999 SOL');
  });
});
