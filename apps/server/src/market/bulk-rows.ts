/** A bulk statement that is ready to be sent. */
export type Statement = { readonly text: string; readonly values: readonly unknown[] };

type Rows<Row> = Iterable<Row> & ArrayLike<Row>;

/** The columns of the rows that a bulk statement takes, by name. */
export type Columns<Row> = Readonly<Record<string, Column<Row>>>;

/** `arrayOf` gives PostgreSQL's binary form of an array: unlike digits it need not be parsed again, which took a third of a statement. */
type Column<Row> = { readonly type: string; readonly arrayOf: (rows: Rows<Row>) => Buffer };

/** In the list of a `select` arrays are read side by side; in a `from` each is copied to a table of its own first. */
export function selecting<Row>(columns: Columns<Row>): string {
  const list = Object.entries(columns).map(([name, { type }], index) => `unnest($${index + 1}::${type}[]) as ${name}`);
  return `select ${list.join(', ')}`;
}

/** What `selecting` the same columns takes. */
export function valuesOf<Row>(columns: Columns<Row>, rows: Rows<Row>): Buffer[] {
  return Object.values(columns).map(({ arrayOf }) => arrayOf(rows));
}

const INT = 23;
const BIGINT = 20;
const NUMERIC = 1700;
const TIMESTAMPTZ = 1184;
const EPOCH_MS = Date.UTC(2000, 0, 1);

export function int<Row>(valueOf: (row: Row) => number): Column<Row> {
  return {
    type: 'int',
    arrayOf: (rows) =>
      arrayOfEqual(INT, 4, rows, (view, at, row) => {
        const value = valueOf(row);
        if (value !== (value | 0)) throw new RangeError(`${value} is no int`);
        view.setInt32(at, value);
      }),
  };
}

export function bigint<Row>(valueOf: (row: Row) => bigint): Column<Row> {
  return {
    type: 'bigint',
    arrayOf: (rows) =>
      arrayOfEqual(BIGINT, 8, rows, (view, at, row) => {
        const value = valueOf(row);
        if (value !== BigInt.asIntN(64, value)) throw new RangeError(`${value} is no bigint`);
        view.setBigInt64(at, value);
      }),
  };
}

export function timestamptz<Row>(msOf: (row: Row) => number): Column<Row> {
  return {
    type: 'timestamptz',
    arrayOf: (rows) =>
      arrayOfEqual(TIMESTAMPTZ, 8, rows, (view, at, row) => {
        const microseconds = (msOf(row) - EPOCH_MS) * 1_000;
        view.setInt32(at, Math.floor(microseconds / 2 ** 32));
        view.setUint32(at + 4, microseconds >>> 0);
      }),
  };
}

export function numeric<Row>(valueOf: (row: Row) => bigint | null): Column<Row> {
  return {
    type: 'numeric',
    arrayOf: (rows) => {
      begin(scratch, NUMERIC, rows.length);
      let at = HEADER_BYTES;
      for (const row of rows) {
        if (at + NUMERIC_BYTES_MAX > scratch.byteLength) scratch = enlarged(scratch);
        at = writeNumeric(scratch, at, valueOf(row));
      }
      return Buffer.copyBytesFrom(new Uint8Array(scratch.buffer, 0, at));
    },
  };
}

const HEADER_BYTES = 20;
const LENGTH_BYTES = 4;

function begin(view: DataView, elementType: number, length: number): void {
  // One dimension, which may have nulls and begins at one.
  view.setInt32(0, 1);
  view.setInt32(4, 1);
  view.setInt32(8, elementType);
  view.setInt32(12, length);
  view.setInt32(16, 1);
}

function arrayOfEqual<Row>(
  elementType: number,
  bytes: number,
  rows: Rows<Row>,
  write: (view: DataView, at: number, row: Row) => void,
): Buffer {
  const buffer = new ArrayBuffer(HEADER_BYTES + rows.length * (LENGTH_BYTES + bytes));
  const view = new DataView(buffer);
  begin(view, elementType, rows.length);
  let at = HEADER_BYTES;
  for (const row of rows) {
    view.setInt32(at, bytes);
    write(view, at + LENGTH_BYTES, row);
    at += LENGTH_BYTES + bytes;
  }
  return Buffer.from(buffer);
}

/** More than a numeric of forty digits takes, which is the widest column. */
const NUMERIC_BYTES_MAX = 64;
const NEGATIVE = 0x4000;
const DIGIT = 10_000;
const DIGITS_AT_ONCE = 3;
const AT_ONCE = BigInt(DIGIT ** DIGITS_AT_ONCE);

/** Where numerics are put together, since their length is not known before. */
let scratch = new DataView(new ArrayBuffer(65_536));

function enlarged(view: DataView<ArrayBuffer>): DataView<ArrayBuffer> {
  return new DataView(view.buffer.transfer(view.byteLength * 2));
}

/** Answers where it ends. */
function writeNumeric(view: DataView, at: number, value: bigint | null): number {
  if (value === null) {
    view.setInt32(at, -1);
    return at + LENGTH_BYTES;
  }
  const begin = at + LENGTH_BYTES + 8;
  const end = writeDigits(view, begin, value < 0n ? -value : value);
  const digits = (end - begin) / 2;
  view.setInt32(at, 8 + digits * 2);
  // How many digits to the base of ten thousand, the place of the first, the sign, and how many of the fraction.
  view.setInt16(at + 4, digits);
  view.setInt16(at + 6, digits - 1);
  view.setInt16(at + 8, value < 0n ? NEGATIVE : 0);
  view.setInt16(at + 10, 0);
  return end;
}

/** As numbers, which are faster than bigints, as far as they are exact. */
function writeDigits(view: DataView, at: number, value: bigint): number {
  const near = Number(value);
  if (near > Number.MAX_SAFE_INTEGER) {
    const above = value / AT_ONCE;
    const end = writeDigits(view, at, above);
    return writeLow(view, end, Number(value - above * AT_ONCE), DIGITS_AT_ONCE);
  }
  return writeLow(view, at, near, near < 1 ? 0 : near < 1e4 ? 1 : near < 1e8 ? 2 : near < 1e12 ? 3 : 4);
}

function writeLow(view: DataView, at: number, value: number, digits: number): number {
  let left = value;
  for (let place = digits - 1; place >= 0; place -= 1) {
    const above = Math.floor(left / DIGIT);
    view.setInt16(at + place * 2, left - above * DIGIT);
    left = above;
  }
  return at + digits * 2;
}
