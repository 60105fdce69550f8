import { expect, it } from 'vitest';
import { CeilingWatch } from './ceiling-watch.ts';

const HOUR_MS = 60 * 60_000;

it('tells once a day how much is used, and on how many days in a row', () => {
  const told: string[] = [];
  const watch = new CeilingWatch('what may leave', 100n, ({ msg }) => told.push(msg));
  const on = (hour: number, amount: bigint): string[] => {
    watch.used(amount, 1_700_000_000_000 + hour * HOUR_MS);
    return told.splice(0);
  };
  expect(on(0, 10n)).toEqual([]);
  expect(on(1, 11n)).toEqual(['a tenth of what may leave']);
  expect(on(2, 49n)).toEqual([]);
  expect(on(3, 51n)).toEqual(['half of what may leave']);
  expect(on(4, 99n)).toEqual([]);
  // The second day: it never fell below the half.
  expect(on(28, 60n)).toEqual(['half of what may leave, on 2 days in a row']);
  expect(on(29, 20n)).toEqual([]);
  expect(on(53, 20n)).toEqual(['a tenth of what may leave, on 3 days in a row']);
  // After some calm it is the first day again.
  expect(on(200, 60n)).toEqual(['half of what may leave']);
});
