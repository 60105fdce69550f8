/** Rows as `unnest` takes them: the values of each of these keys. */
export function columnsOf<Row>(rows: readonly Row[], ...keys: readonly (keyof Row)[]): unknown[][] {
  return keys.map((key) => rows.map((row) => row[key]));
}

/** The values of one row, in the order of the keys. */
export function rowValues<Row>(row: Row, ...keys: readonly (keyof Row)[]): unknown[] {
  return keys.map((key) => row[key]);
}
