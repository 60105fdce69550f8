import { expect, it } from 'vitest';
import { tokenSearch } from './token-search.ts';

it('takes interval, tab and book from the address', () => {
  const search = { interval: '4h', tab: 'holders', book: '0198c0de-0000-7000-8000-000000000001' };
  expect(tokenSearch(search)).toEqual(search);
});

it('drops what it does not know', () => {
  expect(tokenSearch({ interval: '2h', tab: 5, book: '<b>', other: 'x' })).toEqual({});
  expect(tokenSearch({ interval: 'toString' })).toEqual({});
});
