// Scales of line charts: pure, so that what the chart shows can be tested without drawing it.
import { timeTicks } from './time-ticks.ts';
import type { TimeUnit } from './time-ticks.ts';

export type LinePoint = { t: number; value: number };
export type Frame = { width: number; height: number; left: number; right: number; top: number; bottom: number };

type LineScale = {
  x: (t: number) => number;
  y: (value: number) => number;
  /** Round values for the horizontal lines. */
  ticks: readonly number[];
  /** Decimals that all of them are written with, so that they stand below each other. */
  places: number;
  times: readonly number[];
  timeUnit: TimeUnit;
};

/** Room for half of a time's label, which stands below the middle of its time. */
const LABEL_HALF_PX = 26;

/** Steps of 1, 2 or 5 times a power of ten. */
export function niceStep(span: number, lines: number): number {
  const rough = span / Math.max(1, lines);
  const power = 10 ** Math.floor(Math.log10(rough));
  const share = rough / power;
  return power * (share <= 1 ? 1 : share <= 2 ? 2 : share <= 5 ? 5 : 10);
}

/** With `zero` it lies within the scale, for what is read against it, such as a yield; an amount needs its own range only. */
export function lineScale(points: readonly LinePoint[], frame: Frame, zero = true): LineScale {
  const values = points.map((point) => point.value);
  const among = zero || values.length === 0 ? [0, ...values] : values;
  let low = Math.min(...among);
  let high = Math.max(...among);
  // A line that hardly moves is drawn flat and not as if its last digits were a story.
  const least = zero ? 0.02 : Math.max(1e-6, Math.abs(high) * 1e-4);
  if (high - low < least) {
    const room = zero ? 0.5 : Math.max(1e-6, Math.abs(high) * 0.01);
    low -= room;
    high += room;
  }
  const step = niceStep(high - low, 4);
  const floor = zero || low < 0 ? Number.NEGATIVE_INFINITY : 0;
  low = Math.max(floor, Math.floor((low - step * 0.08) / step) * step);
  high = Math.ceil((high + step * 0.08) / step) * step;
  const first = points[0]?.t ?? 0;
  const last = Math.max(points.at(-1)?.t ?? 1, first + 1);
  const inner = { width: frame.width - frame.left - frame.right, height: frame.height - frame.top - frame.bottom };
  const ticks: number[] = [];
  for (let line = 0; line <= Math.round((high - low) / step); line += 1) ticks.push(round(low + line * step));
  const x = (t: number): number => frame.left + ((t - first) / (last - first)) * inner.width;
  const { times, unit } = timeTicks(first, last, Math.max(4, Math.min(6, Math.floor(inner.width / 120))));
  return {
    x,
    y: (value) => frame.top + (1 - (value - low) / (high - low)) * inner.height,
    ticks,
    places: Math.max(0, -Math.floor(Math.log10(step) + 1e-9)),
    times: times.filter((t) => x(t) >= LABEL_HALF_PX && x(t) <= frame.width - LABEL_HALF_PX),
    timeUnit: unit,
  };
}

export function linePath(points: readonly LinePoint[], scale: LineScale): string {
  return points
    .map((point, at) => `${at === 0 ? 'M' : 'L'}${short(scale.x(point.t))} ${short(scale.y(point.value))}`)
    .join('');
}

/** The point nearest in time; points are in order, so a binary search finds it. */
export function nearestIndex(points: readonly LinePoint[], t: number): number {
  let low = 0;
  let high = points.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((points[middle] as LinePoint).t < t) low = middle + 1;
    else high = middle;
  }
  const before = points[low - 1];
  const at = points[low];
  return before && at && t - before.t < at.t - t ? low - 1 : low;
}

/** The last value at or before a time, for the second line under the crosshair. */
export function valueAt(points: readonly LinePoint[], t: number): number | null {
  let found: number | null = null;
  for (const point of points) {
    if (point.t > t) break;
    found = point.value;
  }
  return found;
}

function short(value: number): number {
  return Math.round(value * 10) / 10;
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
