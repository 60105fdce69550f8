import type { Ratio } from './swap-maths.ts';

/** At which price somebody traded. A pool's price stands still between trades, so trades are all that a sample can see. */
export type PricePoint = {
  readonly atMs: number;
  readonly price: Ratio;
  /** Made by the strategy, its creator's wallets or wallets one transfer away from them. */
  readonly isLinked: boolean;
};

/** Between these moments every trade of the coin is known; outside of them a sample is missing. */
export type KnownSpan = { readonly fromMs: number; readonly untilMs: number };

const SAMPLE_MS = 10_000;
const SHORT_SAMPLES = 30;
const LONG_SAMPLES = 360;
export const PRICE_AROUND_MS = SHORT_SAMPLES * SAMPLE_MS;
/** With more than a fifth of the samples missing there is no reference. */
const MISSING_SHARE_MAX = 5;

/**
 * The lower of the medians over 5 minutes and over 1 hour of the pool's price, sampled every 10 s; null where too little is
 * known. A trade of the strategy or of somebody near it does not count: the sample repeats the one before, so whoever moves the
 * price himself does not move the reference. `points` ascend in time and begin with the last one before the hour.
 */
export function referencePrice(points: readonly PricePoint[], known: KnownSpan, nowMs: number): Ratio | null {
  const short = medianOf(points, known, nowMs, SHORT_SAMPLES);
  const long = medianOf(points, known, nowMs, LONG_SAMPLES);
  if (short === null || long === null) return null;
  return comparePrices(short, long) < 0 ? short : long;
}

/**
 * What a purchase of followers is measured against: the lower of the reference price and of the same with everybody's trades. Whom
 * the creator sends something is linked to him; a sale that presses the price must not stop counting because of that.
 */
export function referenceToBuy(points: readonly PricePoint[], known: KnownSpan, nowMs: number): Ratio | null {
  const ofOthers = referencePrice(points, known, nowMs);
  const everybody = points.map((point) => ({ ...point, isLinked: false }));
  const ofAll = referencePrice(everybody, known, nowMs);
  if (ofOthers === null || ofAll === null) return null;
  return comparePrices(ofOthers, ofAll) < 0 ? ofOthers : ofAll;
}

/**
 * What others paid around a moment: the median of the pool's price from 5 minutes before until 5 minutes after it, sampled and
 * filtered like the reference price. Known 5 minutes later at the earliest.
 */
export function priceAround(points: readonly PricePoint[], known: KnownSpan, atMs: number): Ratio | null {
  return medianOf(points, known, atMs + PRICE_AROUND_MS, 2 * SHORT_SAMPLES);
}

/** Below zero where the left price is the lower one. */
export function comparePrices(left: Ratio, right: Ratio): number {
  const difference = left.numerator * right.denominator - right.numerator * left.denominator;
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}

/** The lower of the two middle samples where their number is even: a reference errs on the side of the buyer. */
function medianOf(points: readonly PricePoint[], known: KnownSpan, nowMs: number, samples: number): Ratio | null {
  const weights = new Map<PricePoint, number>();
  let found = 0;
  let index = points.length - 1;
  for (let sample = 0; sample < samples; sample += 1) {
    const atMs = nowMs - sample * SAMPLE_MS;
    while (index >= 0 && (points[index]!.atMs > atMs || points[index]!.isLinked)) index -= 1;
    const point = points[index];
    if (point === undefined || atMs < known.fromMs || atMs > known.untilMs) continue;
    weights.set(point, (weights.get(point) ?? 0) + 1);
    found += 1;
  }
  if ((samples - found) * MISSING_SHARE_MAX > samples) return null;
  const prices = [...weights]
    .map(([{ price }, weight]) => ({ price, weight }))
    .sort((left, right) => comparePrices(left.price, right.price));
  let passed = 0;
  return prices.find(({ weight }) => (passed += weight) * 2 >= found)!.price;
}
