/** Names a row, the same on every page it comes with. */
export type RowKey<Row> = (row: Row) => string;

/**
 * The rows of all pages, each once. Pages by number shift when a row is added before them, so that the last row of one
 * comes again as the first of the next. Rows without a name stand as they came.
 */
export function joinPages<Row>(
  pages: readonly { lists: readonly Row[] }[],
  rowKey: RowKey<Row> | null = null,
): readonly Row[] {
  const seen = new Set<string>();
  return pages
    .flatMap(({ lists }) => lists)
    .filter((row) => {
      const key = rowKey ? rowKey(row) : idOf(row);
      if (key === null) return true;
      return !seen.has(key) && seen.add(key);
    });
}

function idOf(row: unknown): string | null {
  const id = typeof row === 'object' && row !== null && 'id' in row ? row.id : null;
  return typeof id === 'string' ? id : null;
}
