import fc from 'fast-check';
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

  it('shares what no personal book covers pro rata, to the base unit, and takes from nobody more than there is', () => {
    const amounts = fc.array(fc.bigInt({ min: 0n, max: 10n ** 18n }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(amounts, fc.bigInt({ min: 0n, max: 10n ** 18n }), (books, stolen) => {
        const follows = books.map((amount, index) => ({ bookId: `${index}`, kind: 'follow' as const, amount }));
        const all = books.reduce((sum, amount) => sum + amount, 0n);
        const covered = stolen < all ? stolen : all;
        const taken = new Map(coverOutflow(follows, stolen).map((part) => [part.bookId, part.amount]));
        expect([...taken.values()].reduce((sum, amount) => sum + amount, 0n)).toBe(covered);
        for (const { bookId, amount } of follows) {
          const part = taken.get(bookId) ?? 0n;
          expect(part).toBeLessThanOrEqual(amount);
          const off = part * all - amount * covered;
          expect(off < 0n ? -off : off).toBeLessThan(all === 0n ? 1n : all);
        }
      }),
    );
  });

  it('covers as much as is free when that does not suffice', () => {
    expect(coverOutflow(free, 81n)).toEqual([
      { bookId: 'personal', amount: 30n },
      { bookId: 'follow', amount: 50n },
    ]);
  });

  it('takes what is unclaimed before the money of anybody', () => {
    const unclaimed = { bookId: 'unclaimed', kind: 'unclaimed' as const, amount: 40n };
    expect(coverOutflow([free[0]!, unclaimed], 40n)).toEqual([{ bookId: 'unclaimed', amount: 40n }]);
  });

  it('gives the last unit that cannot be divided to the smaller book id, whatever the order of the books', () => {
    const books = ['b', 'a'].map((bookId) => ({ bookId, kind: 'follow' as const, amount: 5n }));
    expect(new Map(coverOutflow(books, 3n).map(({ bookId, amount }) => [bookId, amount]))).toEqual(
      new Map([
        ['b', 1n],
        ['a', 2n],
      ]),
    );
  });
});
