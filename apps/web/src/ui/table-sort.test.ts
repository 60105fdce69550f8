import { expect, it } from 'vitest';
import { nextSort } from './table-sort.ts';

it('starts a column with the largest on top and turns it on the second click', () => {
  const first = nextSort(null, 'price');
  expect(first).toEqual({ key: 'price', direction: 'desc' });
  expect(nextSort(first, 'price')).toEqual({ key: 'price', direction: 'asc' });
  expect(nextSort(first, 'change')).toEqual({ key: 'change', direction: 'desc' });
});
