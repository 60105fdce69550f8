import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limitShrinking } from './limit-shrinking.ts';

/** Each look at this clock takes a second. */
function slowClock(): () => number {
  let nowMs = 0;
  return () => (nowMs += 1_000);
}

const plugins = () => [limitShrinking(slowClock())];
const LARGE = fc.bigInt({ min: 10n ** 50n, max: 10n ** 60n });
const isSmall = (value: bigint): boolean => value < 10n ** 30n;
const found = /seed: 7, path: "0:[\d:]+".*\nCounterexample: \[\d+n\]\nShrunk [1-9]\d* time/;

describe('a property', () => {
  it('that failed tells its seed and the smallest counterexample of a minute', () => {
    const property = fc.property(fc.bigInt({ min: 0n, max: 10n ** 60n }), (value) => value < 10n ** 50n + 1n);
    const whole = fc.check(property, { seed: 7 });
    const limited = fc.check(property, { seed: 7, plugins: plugins() });
    expect(whole).toMatchObject({ failed: true, interrupted: false });
    expect(limited).toMatchObject({ failed: true, interrupted: true });
    expect(limited.numShrinks).toBeLessThan(whole.numShrinks);
    expect(() => fc.assert(property, { seed: 7, plugins: plugins() })).toThrow(found);
  });

  it('that is asynchronous likewise', async () => {
    const property = fc.asyncProperty(LARGE, async (value) => isSmall(await Promise.resolve(value)));
    await expect(fc.assert(property, { seed: 7, plugins: plugins() })).rejects.toThrow(found);
  });

  it('that holds runs to its end, however long that takes', () => {
    const property = fc.property(LARGE, fc.boolean(), (value, isMeant) => {
      fc.pre(isMeant);
      return !isSmall(value);
    });
    expect(fc.check(property, { plugins: plugins() })).toMatchObject({
      failed: false,
      numRuns: 100,
      interrupted: false,
    });
  });
});
