import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { drawdownAfter, drawdownStart, maximumDrawdown } from './drawdown.ts';
import { printRatePercent, rate, rateOf } from '../numbers/rate.ts';

describe('the maximum drawdown', () => {
  it('is the deepest fall from the peak before it', () => {
    const path = [2n, 1n, 4n, 3n, 8n, 2n, 9n].map(rate);
    const state = path.reduce(drawdownAfter, drawdownStart(rate(1n)));
    expect(printRatePercent(maximumDrawdown(state))).toBe('75');
  });

  it('is nothing on a path that only rises, or starts at nothing', () => {
    expect(maximumDrawdown(drawdownAfter(drawdownStart(rate(1n)), rate(2n)))).toBe(0n);
    expect(maximumDrawdown(drawdownStart(rate(0n)))).toBe(0n);
  });

  it('equals the worst of all pairs, looked at one by one', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: 1n, max: 10n ** 20n }), { minLength: 1, maxLength: 30 }), (path) => {
        const state = path.map(rate).reduce(drawdownAfter, drawdownStart(rate(path[0]!)));
        let worst = 0n;
        path.forEach((peak, index) => {
          for (const low of path.slice(index)) {
            if (low >= peak) continue;
            const fall = rateOf(peak - low, peak);
            if (fall > worst) worst = fall;
          }
        });
        expect(maximumDrawdown(state)).toBe(worst);
      }),
    );
  });
});
