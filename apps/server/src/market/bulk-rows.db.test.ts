import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bigint, int, numeric, selecting, timestamptz, valuesOf, type Columns } from './bulk-rows.ts';
import { aMarketDatabase } from './market-for-test.ts';

const market = aMarketDatabase();

type Row = { whole: number; large: bigint; amount: bigint | null; atMs: number };

const COLUMNS: Columns<Row> = {
  whole: int((row) => row.whole),
  large: bigint((row) => row.large),
  amount: numeric((row) => row.amount),
  at: timestamptz((row) => row.atMs),
};

async function readBack(rows: readonly Row[]): Promise<Row[]> {
  const answered = await market.database.query<Omit<Row, 'atMs'> & { at: Date }>(
    selecting(COLUMNS),
    valuesOf(COLUMNS, rows),
  );
  return answered.map(({ at, ...row }) => ({ ...row, atMs: at.getTime() }));
}

const EDGES: readonly bigint[] = [
  0n,
  1n,
  9_999n,
  10_000n,
  99_999_999n,
  10n ** 8n,
  10n ** 12n,
  2n ** 53n - 1n,
  2n ** 53n,
  2n ** 53n + 1n,
  10n ** 16n,
  2n ** 64n - 1n,
  10n ** 24n + 1n,
  10n ** 28n,
  10n ** 40n - 1n,
];

it('gives PostgreSQL every value as it is', async () => {
  const rows = fc.array(
    fc.record({
      whole: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
      large: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
      amount: fc.option(
        fc.oneof(
          fc.constantFrom(...EDGES),
          fc.bigInt({ min: 0n, max: 2n ** 64n }),
          fc.bigInt({ min: 1n - 10n ** 40n, max: 10n ** 40n - 1n }),
        ),
      ),
      atMs: fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2100, 0, 1) }),
    }),
    { size: '+1' },
  );
  await fc.assert(
    fc.asyncProperty(rows, async (given) => {
      expect(await readBack(given)).toEqual(given);
    }),
    { numRuns: 100 },
  );
});

it('keeps the order of many rows', async () => {
  const rows = Array.from({ length: 20_000 }, (_, index) => ({
    whole: index,
    large: BigInt(index),
    amount: EDGES[index % EDGES.length]!,
    atMs: index,
  }));
  expect(await readBack(rows)).toEqual(rows);
});

it.each<Partial<Row>>([{ whole: 2 ** 31 }, { whole: 0.5 }, { large: 2n ** 63n }])(
  'refuses what the type cannot hold instead of changing it: %o',
  (odd) => {
    expect(() => valuesOf(COLUMNS, [{ whole: 0, large: 0n, amount: 0n, atMs: 0, ...odd }])).toThrow(RangeError);
  },
);
