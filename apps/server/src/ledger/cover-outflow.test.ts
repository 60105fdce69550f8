import { describe, expect, it } from 'vitest';
import { coverOutflow } from './cover-outflow.ts';

describe('coverOutflow', () => {
  const free = [
    { bookId: 'follow', kind: 'follow' as const, amount: 50n },
    { bookId: 'personal', kind: 'personal' as const, amount: 30n },
  ];

  it('takes from the personal book first', () => {
    expect(coverOutflow(free, 20n)).toEqual([{ bookId: 'personal', amount: 20n }]);
  });

  it('goes on to the other books when the personal one is empty', () => {
    expect(coverOutflow(free, 40n)).toEqual([
      { bookId: 'personal', amount: 30n },
      { bookId: 'follow', amount: 10n },
    ]);
  });

  it('covers as much as is free when that does not suffice', () => {
    expect(coverOutflow(free, 81n)).toEqual([
      { bookId: 'personal', amount: 30n },
      { bookId: 'follow', amount: 50n },
    ]);
  });
});
