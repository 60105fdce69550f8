/**
 * At most so many UTF-16 units of a text, the last of them an ellipsis where it was longer. A character of two units, as an emoji is,
 * is never cut in half: PostgreSQL takes no JSON with half of one.
 */
export function clipText(text: string, unitsMax: number): string {
  if (text.length <= unitsMax) return text;
  return `${text.slice(0, unitsMax - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
