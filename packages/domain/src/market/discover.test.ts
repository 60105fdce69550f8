import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareFigures,
  curveProgress,
  discoverFields,
  passesFilter,
  rankIn,
  type DiscoverFigures,
} from './discover.ts';

const figures = (changes: Partial<DiscoverFigures> = {}): DiscoverFigures => ({
  ...(Object.fromEntries(discoverFields.map((field) => [field, 10n])) as DiscoverFigures),
  ...changes,
});
const noWords = { include: [], exclude: [] };

describe('a filter', () => {
  it('keeps a figure within its range, ends included, and drops what is not known', () => {
    const filter = { ranges: { top10: { min: 5n, max: 10n } }, ...noWords };
    const passes = (top10: bigint | null) => passesFilter(figures({ top10 }), 'FROG Frog', filter);
    expect([4n, 5n, 10n, 11n, null].map(passes)).toEqual([false, true, true, false, false]);
  });

  it('looks for words in name and symbol, whatever their case', () => {
    const words = (include: string[], exclude: string[]) =>
      passesFilter(figures(), 'FROG Green Frog', { ranges: {}, include, exclude });
    expect(words(['cat', 'green'], [])).toBe(true);
    expect(words(['cat'], [])).toBe(false);
    expect(words([], ['frog'])).toBe(false);
    expect(words(['green'], ['cat'])).toBe(true);
  });

  it('passes a token exactly when every range that is set holds its figure', () => {
    const value = fc.option(fc.bigInt({ min: -50n, max: 50n }), { nil: null });
    const side = fc.option(fc.bigInt({ min: -50n, max: 50n }), { nil: undefined });
    const range = fc.record({ min: side, max: side });
    fc.assert(
      fc.property(
        fc.record(Object.fromEntries(discoverFields.map((field) => [field, value]))),
        fc.record(Object.fromEntries(discoverFields.map((field) => [field, range])), { requiredKeys: [] }),
        (given, ranges) => {
          const expected = discoverFields.every((field) => {
            const { min, max } = ranges[field] ?? {};
            const found = given[field]!;
            if (min === undefined && max === undefined) return true;
            return found !== null && !(min !== undefined && found < min) && !(max !== undefined && found > max);
          });
          expect(passesFilter(given as DiscoverFigures, 'x', { ranges, ...noWords })).toBe(expected);
        },
      ),
    );
  });
});

describe('a list', () => {
  const token = { figures: figures(), score: 3, createdAtMs: 7, stage: null, graduatedAtMs: null };

  it('leaves out what does not belong to it', () => {
    expect(rankIn('gainers', { ...token, figures: figures({ change: 0n }) })).toBeNull();
    expect(rankIn('gainers', { ...token, figures: figures({ change: null }) })).toBeNull();
    expect(rankIn('smart-money', { ...token, figures: figures({ provenTraders: 0n }) })).toBeNull();
    expect(rankIn('graduating', token)).toBeNull();
    expect(rankIn('graduated', { ...token, stage: 'curve' })).toBeNull();
  });

  it('ranks by what it is about', () => {
    expect(rankIn('trending', token)).toBe(3);
    expect(rankIn('new', token)).toBe(7);
    expect(rankIn('gainers', token)).toBe(10);
    expect(rankIn('graduating', { ...token, stage: 'curve' })).toBe(10);
    expect(rankIn('graduated', { ...token, stage: 'graduated', graduatedAtMs: 9 })).toBe(9);
    const few = rankIn('smart-money', { ...token, figures: figures({ provenTraders: 1n }), score: 30 })!;
    expect(rankIn('smart-money', { ...token, figures: figures({ provenTraders: 2n }), score: 1 })).toBeGreaterThan(few);
  });
});

it('sorts unknown figures last, both ways', () => {
  const sorted = (order: 'asc' | 'desc') => [null, 2n, 1n, null, 3n].toSorted((a, b) => compareFigures(a, b, order));
  expect(sorted('asc')).toEqual([1n, 2n, 3n, null, null]);
  expect(sorted('desc')).toEqual([3n, 2n, 1n, null, null]);
});

it('shows a launch curve between nothing and all of its target', () => {
  expect(curveProgress(0n, 80n)).toBe(0n);
  expect(curveProgress(-1n, 80n)).toBe(0n);
  expect(curveProgress(20n, 80n)).toBe(250_000n);
  expect(curveProgress(81n, 80n)).toBe(1_000_000n);
});

describe('the edges of lists', () => {
  it('passes an unknown figure through a range without ends', () => {
    expect(passesFilter(figures({ top10: null }), 'FROG', { ranges: { top10: {} }, ...noWords })).toBe(true);
    const passes = (range: object, top10: bigint | null) =>
      passesFilter(figures({ top10 }), 'FROG', { ranges: { top10: range }, ...noWords });
    expect([passes({ min: 5n }, null), passes({ max: 5n }, null)]).toEqual([false, false]);
    expect([passes({ min: 5n }, 9n), passes({ max: 5n }, 1n), passes({ max: 5n }, 9n)]).toEqual([true, true, false]);
    expect(passes({ min: -5n }, null)).toBe(false);
  });

  it('lets the livelier of two tokens stand first that as many proven traders hold', () => {
    const rank = (score: number) =>
      rankIn('smart-money', {
        figures: figures({ provenTraders: 2n }),
        score,
        createdAtMs: 0,
        stage: null,
        graduatedAtMs: null,
      });
    expect([rank(5), rank(7)]).toEqual([2_005, 2_007]);
  });

  it('takes a curve without a target as done, and one that raised nothing as not begun', () => {
    expect([curveProgress(5n, 0n), curveProgress(0n, 0n), curveProgress(0n, 5n), curveProgress(-1n, 5n)]).toEqual([
      1_000_000n,
      1_000_000n,
      0n,
      0n,
    ]);
  });
});
