import { describe, expect, it } from 'vitest';
import { joinPages } from './join-pages.ts';

describe('pages as one list', () => {
  it('stand one after the other', () => {
    expect(joinPages([{ lists: [{ id: 'a' }, { id: 'b' }] }, { lists: [{ id: 'c' }] }])).toEqual([
      { id: 'a' },
      { id: 'b' },
      { id: 'c' },
    ]);
    expect(joinPages([])).toEqual([]);
  });

  it('show a row once that has moved to the next page meanwhile', () => {
    const pages = [{ lists: [{ id: 'a' }, { id: 'b' }] }, { lists: [{ id: 'b' }, { id: 'c' }] }];
    expect(joinPages(pages).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  it('know rows without an id by the key they are given', () => {
    const row = (bookId: string, mint: string) => ({ bookId, mint });
    const pages = [{ lists: [row('x', '1'), row('x', '2')] }, { lists: [row('x', '2'), row('y', '2')] }];
    expect(joinPages(pages, ({ bookId, mint }) => `${bookId}:${mint}`)).toEqual([
      row('x', '1'),
      row('x', '2'),
      row('y', '2'),
    ]);
  });

  it('keep rows that nothing tells apart', () => {
    const event = { time: 1, event: 'login' };
    expect(joinPages([{ lists: [event] }, { lists: [event] }])).toEqual([event, event]);
  });
});
