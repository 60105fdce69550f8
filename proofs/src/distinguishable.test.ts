import { describe, expect, it } from 'vitest';
import { SeededRandom } from '@hunter/domain/seeded-random';
import { decideDistinguishable } from './distinguishable.ts';

/** Times as answers have them: around thirty milliseconds, a few of them far out. */
function times(random: SeededRandom, count: number, shiftMs: number): number[] {
  return Array.from(
    { length: count },
    () => 30 + shiftMs + random.next() * 2 + (random.chance(0.02) ? random.next() * 50 : 0),
  );
}

describe('telling two groups of times apart', () => {
  it('fails where both come from the same source', () => {
    const verdicts = [1, 2, 3, 4, 5].map((seed) => {
      const random = new SeededRandom(seed);
      return decideDistinguishable(times(random, 2_000, 0), times(random, 2_000, 0)).distinguishable;
    });
    expect(verdicts).toEqual([false, false, false, false, false]);
  });

  it('succeeds where one side takes a tenth of a millisecond more', () => {
    const random = new SeededRandom(1);
    const verdict = decideDistinguishable(times(random, 2_000, 0.1), times(random, 2_000, 0));
    expect(verdict).toMatchObject({ distinguishable: true });
    expect(verdict.z).toBeGreaterThan(3);
  });
});
