/**
 * PostgreSQL's text form of arrays for bulk statements. The driver's own way quotes and escapes every element, which took
 * longer than inserting it; numbers, flags and times need neither.
 */
export function numberArray<Row>(rows: ArrayLike<Row>, valueOf: (row: Row) => bigint | number | null): string {
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

export function timeArray<Row>(rows: readonly Row[], msOf: (row: Row) => number): string {
  let text = '{';
  for (let index = 0; index < rows.length; index += 1) {
    if (index > 0) text += ',';
    text += timeText(msOf(rows[index]!));
  }
  return `${text}}`;
}

const MINUTE_MS = 60_000;
const MINUTES_MAX = 1_000;
const minuteTexts = new Map<number, string>();
const SECONDS = Array.from({ length: 60 }, (_, second) => String(second).padStart(2, '0'));
const MILLISECONDS = Array.from({ length: 1_000 }, (_, ms) => `.${String(ms).padStart(3, '0')}Z`);

/** What `toISOString` gives; a batch has few different minutes, and their text is most of the work. */
function timeText(ms: number): string {
  const minute = Math.floor(ms / MINUTE_MS);
  let text = minuteTexts.get(minute);
  if (text === undefined) {
    text = new Date(minute * MINUTE_MS).toISOString().slice(0, -7);
    if (minuteTexts.size >= MINUTES_MAX) minuteTexts.clear();
    minuteTexts.set(minute, text);
  }
  const rest = ms - minute * MINUTE_MS;
  return text + SECONDS[Math.floor(rest / 1_000)]! + MILLISECONDS[rest % 1_000]!;
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
