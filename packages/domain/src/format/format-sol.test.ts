import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printDecimal } from '../numbers/decimal.ts';
import { formatSol, formatSolChange } from './format-sol.ts';

describe('a SOL amount', () => {
  it.each([
    ['1', '1.00 SOL'],
    ['1.255', '1.26 SOL'],
    ['999.995', '1,000.00 SOL'],
    ['12345.678', '12,345.68 SOL'],
    ['-1234567.891', '-1,234,567.89 SOL'],
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
    ['-0.0001', '-0.0001 SOL'],
    ['-0.000123', '-0.00012 SOL'],
    ['-0.000999', '-0.001 SOL'],
    ['-0.000000001', '-0.000000001 SOL'],
    ['-0.0000000000001', '-0.000000001 SOL'],
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

  it.each([
    ['0.000123', '+0.00012 SOL'],
    ['-0.000123', '-0.00012 SOL'],
    ['0.5', '+0.5000 SOL'],
    ['2.5', '+2.50 SOL'],
    ['0', '0 SOL'],
    [null, '-'],
  ])('a change of %s is shown as %s', (value, text) => {
    expect(formatSolChange(value)).toBe(text);
  });

  const amountIn = (text: string) => Number.parseFloat(text.replaceAll(',', ''));
  const upTo = (max: bigint) => fc.bigInt({ min: -max, max });
  const lamports = fc.oneof(upTo(2_000_000n), upTo(10n ** 13n));

  it('never stands beside a sign that says nothing, and a loss is never shown as none', () => {
    fc.assert(
      fc.property(lamports, (raw) => {
        const shown = [formatSol(printDecimal(raw, 9)), formatSolChange(printDecimal(raw, 9))];
        for (const text of shown) {
          expect(text).toMatch(/^(<0\.001|[-+]?\d{1,3}(,\d{3})*(\.\d+)?) SOL$/);
          if (raw < 0n) expect(amountIn(text)).toBeLessThan(0);
        }
        if (raw > 0n) expect(amountIn(shown[1]!)).toBeGreaterThan(0);
      }),
    );
  });

  it('shows a change within half of its last digit, the same for gain and loss', () => {
    fc.assert(
      fc.property(lamports, (raw) => {
        const text = formatSolChange(printDecimal(raw, 9));
        const places = (/\.(\d+) SOL$/.exec(text)?.[1] ?? '').length;
        expect(Math.abs(amountIn(text) * 1e9 - Number(raw))).toBeLessThanOrEqual(10 ** (9 - places) / 2 + 1);
        const opposite = formatSolChange(printDecimal(-raw, 9));
        if (raw !== 0n) expect(opposite.slice(1)).toBe(text.slice(1));
      }),
    );
  });
});
