/** The lowest and the highest value that a line's box shows; lines beside each other share one, or they cannot be compared. */
export type Scale = { low: number; high: number };

const MARGIN = 2;

/** The points of a small line chart, scaled to its box with a margin so that the stroke is not cut off. */
export function sparklinePoints(values: readonly number[], width: number, height: number, scale?: Scale): string {
  const usable = values.filter(Number.isFinite).map((value) => (scale ? clamp(value, scale) : value));
  if (usable.length === 0) return '';
  const { low, high } = scale ?? { low: Math.min(...usable), high: Math.max(...usable) };
  const span = high - low;
  const step = usable.length > 1 ? width / (usable.length - 1) : 0;
  const inner = height - 2 * MARGIN;
  const points = usable.length > 1 ? usable : [usable[0] as number, usable[0] as number];
  return points
    .map((value, index) => {
      const x = usable.length > 1 ? index * step : index * width;
      const y = span === 0 ? height / 2 : MARGIN + (1 - (value - low) / span) * inner;
      return `${round(x)},${round(y)}`;
    })
    .join(' ');
}

/** What leaves the scale runs along its edge. */
function clamp(value: number, { low, high }: Scale): number {
  return Math.min(high, Math.max(low, value));
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
