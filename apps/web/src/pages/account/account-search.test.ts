import { expect, it } from 'vitest';
import { openRecordView, readAccountSearch } from './account-search.ts';

it('keeps the open tab, its sub-view and an open dialog', () => {
  expect(readAccountSearch({ tab: 'record', view: 'trade' })).toEqual({ tab: 'record', view: 'trade' });
  expect(readAccountSearch({ view: 'followed', dialog: 'deposit' })).toEqual({ view: 'followed', dialog: 'deposit' });
});

it('drops the usual view, unknown values and sub-views of another tab', () => {
  expect(readAccountSearch({ tab: 'strategy', view: 'created' })).toEqual({});
  expect(readAccountSearch({ tab: 'position', view: 'trade', dialog: 'x' })).toEqual({ tab: 'position' });
});

it('opens the record where there is something, unless a view was chosen', () => {
  expect(openRecordView(undefined, 0, 3)).toBe('trade');
  expect(openRecordView(undefined, 2, 3)).toBe('strategy');
  expect(openRecordView(undefined, 0, 0)).toBe('strategy');
  expect(openRecordView('strategy', 0, 3)).toBe('strategy');
  expect(readAccountSearch({ tab: 'record', view: 'calendar' })).toEqual({ tab: 'record', view: 'calendar' });
});
