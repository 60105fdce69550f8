/** From the edge of the chart to its tags, and between two that stand beside each other. */
export const TAG_GAP = 8;

/** `y` is the middle of its height. */
export type Tag = { y: number; width: number; height: number };
export type PlacedTag = Tag & { x: number };
export type Edge = 'top' | 'bottom';

/** The edge of the pane beyond which that height is; null within the pane. */
export function edgeOf(y: number, { height }: { height: number }): Edge | null {
  if (y < 0) return 'top';
  return y > height ? 'bottom' : null;
}

/** The middle of a tag at that edge, below what is written at the top. */
export function besideEdge(edge: Edge, tagHeight: number, pane: { height: number }, topTextHeight: number): number {
  const inside = tagHeight / 2 + 2;
  return edge === 'top' ? topTextHeight + inside : pane.height - inside;
}

/**
 * Where a tag stands: at the start of the chart, away from the newest candles, or behind the tags that stand there already. Where
 * the pane is too narrow for that it stands below them, or above them in the lower half.
 */
export function placeTag(tag: Tag, standing: readonly PlacedTag[], pane: { width: number; height: number }): PlacedTag {
  const at = (y: number) => standing.filter((other) => Math.abs(other.y - y) < (other.height + tag.height) / 2);
  const x = Math.max(0, ...at(tag.y).map((other) => other.x + other.width)) + TAG_GAP;
  if (x === TAG_GAP || x + tag.width <= pane.width) return { ...tag, x };
  const down = tag.y < pane.height / 2;
  let { y } = tag;
  for (let covered = at(y); covered.length > 0; covered = at(y)) {
    const edges = covered.map((other) => other.y + (down ? 1 : -1) * ((other.height + tag.height) / 2 + 1));
    y = down ? Math.max(...edges) : Math.min(...edges);
  }
  return { ...tag, x: TAG_GAP, y };
}
