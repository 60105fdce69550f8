import { expect, it } from 'vitest';
import { readSquareSearch } from './square-search.ts';

it('keeps what differs from the usual view', () => {
  expect(readSquareSearch({ tier: 'new', sort: 'winRate', state: 'ended', keyword: ' frog ' })).toEqual({
    tier: 'new',
    sort: 'winRate',
    state: 'ended',
    keyword: 'frog',
  });
});

it('leaves the usual view and anything unknown out', () => {
  expect(readSquareSearch({ tier: 'all', sort: 'score', state: 'running', keyword: '', other: 1 })).toEqual({});
  expect(readSquareSearch({ sort: 'nonsense', state: 7, keyword: {} })).toEqual({});
});

it('takes a keyword that the address made a number of', () => {
  expect(readSquareSearch({ keyword: 42 })).toEqual({ keyword: '42' });
});
