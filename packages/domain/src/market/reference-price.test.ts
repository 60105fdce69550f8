import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  comparePrices,
  referencePrice,
  referenceToBuy,
  type PricePoint,
  PRICE_AROUND_MS,
  priceAround,
} from './reference-price.ts';

const NOW = 10_000_000_000;
const HOUR = 3_600_000;
const MINUTE = 60_000;
const always = { fromMs: 0, untilMs: NOW };

function aPoint({ lamports = 100n, tokens = 1n, atMs = NOW - 2 * HOUR, isLinked = false }): PricePoint {
  return { atMs, price: { numerator: lamports, denominator: tokens }, isLinked };
}
const priceOf = (points: PricePoint[], known = always): bigint | null =>
  referencePrice(points, known, NOW)?.numerator ?? null;

describe('what a purchase is measured against', () => {
  const toBuy = (points: PricePoint[]): bigint | null => referenceToBuy(points, always, NOW)?.numerator ?? null;

  it('is not raised by whoever is linked to the creator', () => {
    expect(toBuy([aPoint({}), aPoint({ atMs: NOW - HOUR, lamports: 900n, isLinked: true })])).toBe(100n);
  });

  it('is lowered by a sale of somebody whom the creator has made his neighbour', () => {
    const sale = aPoint({ atMs: NOW - 40 * MINUTE, lamports: 60n, isLinked: true });
    expect(priceOf([aPoint({}), sale])).toBe(100n);
    expect(toBuy([aPoint({}), sale])).toBe(60n);
    // The price that the creator then lifts again is the one that followers are kept from.
    expect(toBuy([aPoint({}), sale, aPoint({ atMs: NOW - MINUTE, lamports: 100n })])).toBe(60n);
  });

  it('is unknown where nobody but linked wallets traded', () => {
    expect(toBuy([aPoint({ isLinked: true })])).toBeNull();
  });
});

describe('the reference price', () => {
  it('is the price that the pool had all along', () => {
    expect(priceOf([aPoint({ lamports: 70n })])).toBe(70n);
  });

  it('stays where it was while somebody pumps for less than half of five minutes', () => {
    const pump = aPoint({ atMs: NOW - 2 * MINUTE, lamports: 900n });
    expect(priceOf([aPoint({}), pump])).toBe(100n);
  });

  it('stays at the hour’s median while a pump lasts for less than half an hour', () => {
    expect(priceOf([aPoint({}), aPoint({ atMs: NOW - 29 * MINUTE, lamports: 900n })])).toBe(100n);
    expect(priceOf([aPoint({}), aPoint({ atMs: NOW - 31 * MINUTE, lamports: 900n })])).toBe(900n);
  });

  it('follows a fall within minutes, because the lower median counts', () => {
    expect(priceOf([aPoint({}), aPoint({ atMs: NOW - 3 * MINUTE, lamports: 40n })])).toBe(40n);
  });

  it('repeats the trade before one that the creator or somebody near him made', () => {
    const points = [aPoint({}), aPoint({ atMs: NOW - HOUR + 1, lamports: 900n, isLinked: true })];
    expect(priceOf(points)).toBe(100n);
    expect(priceOf(points.map((point) => ({ ...point, isLinked: false })))).toBe(900n);
  });

  it('counts a trade exactly at a sample’s moment and none after it', () => {
    // The newest 16 of 30 samples: the 16th lies exactly 150 s back.
    expect(priceOf([aPoint({}), aPoint({ atMs: NOW - 150_000, lamports: 40n })])).toBe(40n);
    expect(priceOf([aPoint({}), aPoint({ atMs: NOW - 149_999, lamports: 40n })])).toBe(40n);
    expect(priceOf([aPoint({}), aPoint({ atMs: NOW - 139_999, lamports: 40n })])).toBe(100n);
  });

  it('is unknown where more than a fifth of the hour or of the five minutes is missing', () => {
    const points = [aPoint({})];
    const from = (fromMs: number) => priceOf(points, { fromMs, untilMs: NOW });
    expect(from(NOW - 2_870_000)).toBe(100n);
    expect(from(NOW - 2_869_999)).toBeNull();
    const until = (untilMs: number) => priceOf(points, { fromMs: 0, untilMs });
    expect(until(NOW - 60_000)).toBe(100n);
    expect(until(NOW - 60_001)).toBeNull();
    expect(priceOf([])).toBeNull();
    expect(priceOf([aPoint({ isLinked: true })])).toBeNull();
  });

  it('is one of the prices that were there, and no higher than the median of either window', () => {
    const step = fc.record({
      agoMs: fc.integer({ min: 0, max: HOUR - 1 }),
      lamports: fc.bigInt({ min: 1n, max: 1_000n }),
      tokens: fc.bigInt({ min: 1n, max: 1_000n }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const points = [
          aPoint({}),
          ...steps
            .sort((left, right) => right.agoMs - left.agoMs)
            .map(({ agoMs, lamports, tokens }) => aPoint({ atMs: NOW - agoMs, lamports, tokens })),
        ];
        const reference = referencePrice(points, always, NOW)!;
        for (const samples of [30, 360]) {
          const prices = Array.from({ length: samples }, (_, index) => {
            return points.findLast(({ atMs }) => atMs <= NOW - index * 10_000)!.price;
          });
          const notAbove = prices.filter((price) => comparePrices(price, reference) >= 0).length;
          expect(notAbove * 2).toBeGreaterThanOrEqual(samples);
        }
        expect(points.map(({ price }) => price)).toContain(reference);
      }),
    );
  });
});

describe('the price around a moment', () => {
  it('is the median of the five minutes before and after it, without linked trades', () => {
    const at = NOW - HOUR;
    const steady = [aPoint({})];
    const numerator = (points: PricePoint[]) => priceAround(points, always, at)?.numerator;
    expect(numerator(steady)).toBe(100n);
    const risen = (agoMs: number, isLinked = false) =>
      numerator([...steady, aPoint({ atMs: at - agoMs, lamports: 200n, isLinked })]);
    expect(risen(10_000)).toBe(200n);
    expect(risen(0)).toBe(200n);
    expect(risen(-10_000)).toBe(100n);
    expect(risen(PRICE_AROUND_MS, true)).toBe(100n);
  });

  it('is unknown where the minutes after it are not known yet', () => {
    const at = NOW - PRICE_AROUND_MS;
    expect(priceAround([aPoint({})], { fromMs: 0, untilMs: NOW }, at)).not.toBeNull();
    expect(priceAround([aPoint({})], { fromMs: 0, untilMs: at }, at)).toBeNull();
  });
});
