import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addDecimals, subtractDecimals } from '../numbers/decimal.ts';
import { roundParts, roundPercent } from './round-parts.ts';

const percent = fc.integer({ min: -2_000_000, max: 2_000_000 }).map((raw) => (raw / 10_000).toFixed(4));

describe('parts of a percentage', () => {
  it('give what rounding leaves over to the part that it brings nearest to what it is', () => {
    expect(roundParts(['0', '1.0049', '2.0046', '0.0005'], '3.01')).toEqual(['0', '1.01', '2', '0']);
    expect(roundParts(['0', '-1.005', '-2.005', '0'], '-3.01')).toEqual(['0', '-1', '-2.01', '0']);
  });

  it('stay as they are where they add up already', () => {
    expect(roundParts(['0', '1', '2.75', '-0.25'], '3.5')).toEqual(['0', '1', '2.75', '-0.25']);
  });

  it('add up to the difference of two shown figures, each within a hundredth of what it is', () => {
    fc.assert(
      fc.property(percent, percent, percent, percent, percent, (from, price, fees, skipped, timing) => {
        const to = addDecimals(from, price, fees, skipped, timing);
        const total = subtractDecimals(roundPercent(to), roundPercent(from));
        const parts = [price, fees, skipped, timing];
        const shown = roundParts(parts, total);
        expect(addDecimals(...shown)).toBe(total);
        for (const [place, part] of parts.entries()) {
          expect(Math.abs(Number(shown[place]) - Number(part))).toBeLessThan(0.015_000_1);
        }
      }),
    );
  });
});
