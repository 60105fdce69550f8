import { expect, it } from 'vitest';
import { readAccountSearch } from './account-search.ts';

it('keeps the open tab, its sub-view and an open dialog', () => {
  expect(readAccountSearch({ tab: 'record', view: 'trade' })).toEqual({ tab: 'record', view: 'trade' });
  expect(readAccountSearch({ view: 'followed', dialog: 'deposit' })).toEqual({ view: 'followed', dialog: 'deposit' });
});

it('drops the usual view, unknown values and sub-views of another tab', () => {
  expect(readAccountSearch({ tab: 'strategy', view: 'created' })).toEqual({});
  expect(readAccountSearch({ tab: 'position', view: 'trade', dialog: 'x' })).toEqual({ tab: 'position' });
});
