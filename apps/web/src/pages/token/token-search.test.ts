import { expect, it } from 'vitest';
import { tokenSearch } from './token-search.ts';

it('takes interval and tab from the address', () => {
  expect(tokenSearch({ interval: '4h', tab: 'holders' })).toEqual({ interval: '4h', tab: 'holders' });
});

it('drops what it does not know', () => {
  expect(tokenSearch({ interval: '2h', tab: 5, other: 'x' })).toEqual({});
  expect(tokenSearch({ interval: 'toString' })).toEqual({});
});
