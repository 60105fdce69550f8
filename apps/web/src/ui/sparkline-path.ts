/** The points of a small line chart, scaled to its box with a margin so that the stroke is not cut off. */
export function sparklinePoints(values: readonly number[], width: number, height: number, margin = 2): string {
  const usable = values.filter(Number.isFinite);
  if (usable.length === 0) return '';
  const low = Math.min(...usable);
  const high = Math.max(...usable);
  const span = high - low;
  const step = usable.length > 1 ? width / (usable.length - 1) : 0;
  const inner = height - 2 * margin;
  const points = usable.length > 1 ? usable : [usable[0] as number, usable[0] as number];
  return points
    .map((value, index) => {
      const x = usable.length > 1 ? index * step : index * width;
      const y = span === 0 ? height / 2 : margin + (1 - (value - low) / span) * inner;
      return `${round(x)},${round(y)}`;
    })
    .join(' ');
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
