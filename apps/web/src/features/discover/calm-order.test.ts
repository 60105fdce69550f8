import { expect, it } from 'vitest';
import { calmRows } from './calm-order.ts';

const row = (tokenContractAddress: string, price = 1) => ({ tokenContractAddress, price });
const keys = (rows: readonly { tokenContractAddress: string }[]) => rows.map((each) => each.tokenContractAddress);

it('takes the newest order while nobody points at the rows', () => {
  const { rows, behind } = calmRows([row('a'), row('b')], [row('b'), row('c')], false);
  expect([keys(rows), behind]).toEqual([['b', 'c'], false]);
});

it('keeps the order under the pointer, changes figures in place and says that it is behind', () => {
  const { rows, behind } = calmRows([row('a'), row('b'), row('gone')], [row('b', 5), row('new'), row('a', 7)], true);
  expect(rows).toEqual([row('a', 7), row('b', 5), row('gone')]);
  expect(behind).toBe(true);
});

it('is not behind where only figures changed, and the same where nothing did', () => {
  const shown = [row('a'), row('b')];
  expect(calmRows(shown, [row('a', 2), shown[1]!], true).behind).toBe(false);
  expect(calmRows(shown, [...shown], true).rows).toBe(shown);
});

it('shows the first rows at once, even under the pointer', () => {
  expect(keys(calmRows([], [row('a')], true).rows)).toEqual(['a']);
});
