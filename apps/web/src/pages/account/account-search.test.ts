import { expect, it } from 'vitest';
import { openPart, openRecordView, readAccountSearch } from './account-search.ts';

it('keeps the open tab, its sub-view and an open dialog', () => {
  expect(readAccountSearch({ tab: 'record', view: 'trade' })).toEqual({ tab: 'record', view: 'trade' });
  expect(readAccountSearch({ view: 'followed', dialog: 'deposit' })).toEqual({ view: 'followed', dialog: 'deposit' });
});

it('drops unknown values and sub-views of another tab', () => {
  expect(readAccountSearch({ tab: 'positions', view: 'trade' })).toEqual({});
  expect(readAccountSearch({ tab: 'position', view: 'trade', dialog: 'x' })).toEqual({ tab: 'position' });
});

it('opens the record where there is something, unless a view was chosen', () => {
  expect(openRecordView(undefined, 0, 3)).toBe('trade');
  expect(openRecordView(undefined, 2, 3)).toBe('strategy');
  expect(openRecordView(undefined, 0, 0)).toBe('strategy');
  expect(openRecordView('strategy', 0, 3)).toBe('strategy');
  expect(readAccountSearch({ tab: 'record', view: 'calendar' })).toEqual({ tab: 'record', view: 'calendar' });
});

it('opens the account where there is something, unless a part was chosen', () => {
  const none = { created: 0, followed: 0, positions: 0 };
  expect(openPart({}, none)).toEqual({ tab: 'strategy', strategyView: 'created' });
  expect(openPart({}, { ...none, followed: 1, positions: 3 })).toEqual({ tab: 'strategy', strategyView: 'followed' });
  expect(openPart({}, { created: 1, followed: 1, positions: 3 })).toEqual({ tab: 'strategy', strategyView: 'created' });
  expect(openPart({}, { ...none, positions: 3 })).toMatchObject({ tab: 'position' });
  expect(openPart({ tab: 'strategy' }, { ...none, positions: 3 })).toMatchObject({ tab: 'strategy' });
  expect(openPart({ view: 'followed' }, { ...none, positions: 3 })).toEqual({
    tab: 'strategy',
    strategyView: 'followed',
  });
  expect(openPart({ tab: 'strategy', view: 'created' }, { ...none, followed: 1 }).strategyView).toBe('created');
});
