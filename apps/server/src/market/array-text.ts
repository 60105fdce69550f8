/** A bulk statement that is ready to be sent. */
export type Statement = { readonly text: string; readonly values: readonly unknown[] };

/**
 * PostgreSQL's text form of arrays for bulk statements. The driver's own way quotes and escapes every element, which took
 * longer than inserting it; numbers, flags and times need neither.
 */
export function numberArray<Row>(rows: readonly Row[], valueOf: (row: Row) => bigint | number | null): string {
  let text = '{';
  for (let index = 0; index < rows.length; index += 1) {
    const value = valueOf(rows[index]!);
    if (index > 0) text += ',';
    text += value === null ? 'NULL' : value.toString();
  }
  return `${text}}`;
}

export function flagArray<Row>(rows: readonly Row[], valueOf: (row: Row) => boolean): string {
  return `{${rows.map((row) => (valueOf(row) ? 't' : 'f')).join(',')}}`;
}

/** Neighbours often share their time, so the last one's text is kept. */
export function timeArray<Row>(rows: readonly Row[], msOf: (row: Row) => number): string {
  let text = '{';
  let lastMs = Number.NaN;
  let last = '';
  for (let index = 0; index < rows.length; index += 1) {
    const ms = msOf(rows[index]!);
    if (ms !== lastMs) {
      lastMs = ms;
      last = new Date(ms).toISOString();
    }
    if (index > 0) text += ',';
    text += last;
  }
  return `${text}}`;
}

/** Quoted, since a text may be anything, "NULL" included. */
export function textArray<Row>(rows: readonly Row[], textOf: (row: Row) => string): string {
  let text = '{';
  for (let index = 0; index < rows.length; index += 1) {
    const value = textOf(rows[index]!);
    if (index > 0) text += ',';
    text += /["\\]/.test(value) ? `"${value.replaceAll(/["\\]/g, (found) => `\\${found}`)}"` : `"${value}"`;
  }
  return `${text}}`;
}
