import { describe, expect, it } from 'vitest';
import { hashText, mixBits, SeededRandom } from './seeded-random.ts';

const drawn = (count: number, draw: () => number): number[] => Array.from({ length: count }, draw);
const average = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('SeededRandom', () => {
  it('repeats its values for the same key on every machine', () => {
    const random = new SeededRandom('market 7');
    expect(drawn(4, () => random.whole(2 ** 32))).toEqual([2331640178, 341639580, 1238713584, 1848162131]);
    expect(new SeededRandom(7).next()).toBe(new SeededRandom('7').next());
  });

  it('gives other values for another key', () => {
    expect(new SeededRandom('a').next()).not.toBe(new SeededRandom('b').next());
  });

  it('spreads its values evenly over the interval', () => {
    const random = new SeededRandom('even');
    const values = drawn(20_000, () => random.next());
    expect(average(values)).toBeCloseTo(0.5, 2);
    expect(average(values.map((value) => (value - 0.5) ** 2))).toBeCloseTo(1 / 12, 2);
    expect(values.every((value) => value >= 0 && value < 1)).toBe(true);
  });

  it('stays between two bounds and reaches close to both', () => {
    const random = new SeededRandom('between');
    const values = drawn(5_000, () => random.between(-3, 5));
    expect(Math.min(...values)).toBeGreaterThanOrEqual(-3);
    expect(Math.min(...values)).toBeLessThan(-2.9);
    expect(Math.max(...values)).toBeLessThan(5);
    expect(Math.max(...values)).toBeGreaterThan(4.9);
  });

  it('draws whole numbers below the limit, each of them', () => {
    const random = new SeededRandom('whole');
    expect(new Set(drawn(200, () => random.whole(4)))).toEqual(new Set([0, 1, 2, 3]));
  });

  it('takes a chance as often as its probability says', () => {
    const random = new SeededRandom('chance');
    expect(average(drawn(20_000, () => Number(random.chance(0.2))))).toBeCloseTo(0.2, 2);
    expect(random.chance(0)).toBe(false);
    expect(random.chance(1)).toBe(true);
  });

  it('picks every value, and nothing from nothing', () => {
    const random = new SeededRandom('pick');
    expect(new Set(Array.from({ length: 100 }, () => random.pick(['a', 'b', 'c'])))).toEqual(new Set(['a', 'b', 'c']));
    expect(() => random.pick([])).toThrow(new RangeError('nothing to pick from'));
  });

  it('draws normal values around zero with a deviation of one', () => {
    const random = new SeededRandom('normal');
    const values = drawn(40_000, () => random.normal());
    expect(average(values)).toBeCloseTo(0, 1);
    expect(average(values.map((value) => value ** 2))).toBeCloseTo(1, 1);
    expect(average(values.map((value) => Number(Math.abs(value) < 1)))).toBeCloseTo(0.6827, 2);
  });

  it('waits as long as the mean says, and more than the mean in one case of e', () => {
    const random = new SeededRandom('exponential');
    const values = drawn(40_000, () => random.exponential(5));
    expect(average(values)).toBeCloseTo(5, 0);
    expect(average(values.map((value) => Number(value > 5)))).toBeCloseTo(1 / Math.E, 2);
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
  });

  it('shuffles into every order equally often and leaves the original alone', () => {
    const random = new SeededRandom('shuffled');
    const original = ['a', 'b', 'c'];
    const counts = new Map<string, number>();
    for (let round = 0; round < 6_000; round += 1) {
      const order = random.shuffled(original).join('');
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    expect(counts.size).toBe(6);
    for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(120);
    expect(original).toEqual(['a', 'b', 'c']);
  });
});

it('hashes texts as FNV-1a with the finish of MurmurHash3', () => {
  expect([hashText(''), hashText('a'), hashText('hunter'), hashText('猎')]).toEqual([
    2872998923, 444641715, 2558739432, 1024083852,
  ]);
  expect([mixBits(0), mixBits(1), mixBits(-1)]).toEqual([0, 0x514e28b7, 0x81f16f39]);
});
