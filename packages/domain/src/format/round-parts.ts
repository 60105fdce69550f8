import { parseDecimal, printDecimal, rescale } from '../numbers/decimal.ts';

/** Percentages come with at most four decimals and are shown with two. */
const WIRE_PLACES = 4;
const SHOWN_PLACES = 2;
const HUNDREDTH = 100n;

/** In percent points, as `formatPercent` shows it. */
export function roundPercent(value: string): string {
  return printDecimal(hundredths(parseDecimal(value, WIRE_PLACES)), SHOWN_PLACES);
}

/**
 * Percentages as they are shown, rounded so that they add up to a total that is shown beside them. What rounding leaves over, a
 * hundredth each, goes to the parts that it brings nearest to what they are.
 */
export function roundParts(parts: readonly string[], total: string): string[] {
  const exact = parts.map((part) => parseDecimal(part, WIRE_PLACES));
  const rounded = exact.map(hundredths);
  const over = parseDecimal(total, SHOWN_PLACES) - rounded.reduce((sum, part) => sum + part, 0n);
  const step = over < 0n ? -1n : 1n;
  const missing = (place: number): bigint => (exact[place]! - rounded[place]! * HUNDREDTH) * step;
  const byNeed = [...exact.keys()].toSorted((left, right) => Number(missing(right) - missing(left)));
  for (const place of byNeed.slice(0, Number(over * step))) rounded[place]! += step;
  return rounded.map((part) => printDecimal(part, SHOWN_PLACES));
}

function hundredths(value: bigint): bigint {
  return rescale(value, WIRE_PLACES, SHOWN_PLACES, 'nearest');
}
