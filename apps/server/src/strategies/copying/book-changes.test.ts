import { expect, it } from 'vitest';
import type { Strategies } from '../strategies.ts';
import { BookChanges } from './book-changes.ts';

it('looks up the strategies of all books that are told of together at once', async () => {
  const asked: unknown[] = [];
  const database = {
    query: (_text: string, values: readonly unknown[]) => {
      asked.push(values[0]);
      return Promise.resolve([]);
    },
  };
  const changes = new BookChanges({ database } as unknown as Strategies);
  const fill = (bookId: string) => ({ fills: [{ bookId }] }) as Parameters<BookChanges['onFills']>[0];
  await Promise.all([changes.onFills(fill('one')), changes.onRentReturned({ bookIds: ['two', 'one'] })]);
  expect(asked).toEqual([['one', 'two']]);
});
