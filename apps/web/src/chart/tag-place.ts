/** From the edge of the chart to its tags, and between two that stand beside each other. */
export const TAG_GAP = 8;

export type PlacedTag = { y: number; width: number; height: number };

/**
 * Where a tag at that height starts. It is the start of the chart, away from the newest candles, or behind the tags that
 * stand there already.
 */
export function tagStart(y: number, height: number, standing: readonly PlacedTag[]): number {
  const beside = standing.filter((other) => Math.abs(other.y - y) < (other.height + height) / 2);
  return TAG_GAP + Math.max(0, ...beside.map(({ width }) => width + TAG_GAP));
}
