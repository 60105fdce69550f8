import type { CallReply } from '@hunter/contract/calls';
import { useEffect, useRef } from 'react';
import { useApiQuery } from '../../data/use-api-query.ts';

export type OwnBook = CallReply<'getMyTokenAmount'>['books'][number];

/**
 * The user's books with what each holds of the token, and the one that trades: the chosen one, or the personal one where that
 * is not tradable. Refreshed by the page when an order or a position changes.
 */
export function useOwnBooks(address: string, bookId: string | null) {
  const query = useApiQuery(
    'getMyTokenAmount',
    { tokenContractAddress: address },
    { refetchIntervalMs: 10_000, quiet: true },
  );
  const books = query.data?.books.filter(({ tradable }) => tradable) ?? [];
  const book =
    books.find((each) => each.bookId === bookId) ?? books.find((each) => each.bookKind === 'personal') ?? books[0];
  return { query, books, book };
}

/**
 * Tells when another book takes the place of the one that traded and nobody chose it, as when a strategy ends: amounts that were
 * typed for the one are not meant for the other. Also of one that was replaced while the form was closed.
 */
export function useReplacedBook(chosen: string | null, bookId: string | undefined, onReplaced: () => void): void {
  const before = useRef<{ chosen: string | null; bookId: string | undefined }>({ chosen, bookId: undefined });
  useEffect(() => {
    const known = before.current;
    before.current = { chosen, bookId };
    if (bookId === undefined) return;
    const expected = known.bookId ?? chosen;
    if (expected !== null && expected !== bookId && known.chosen === chosen) onReplaced();
  });
}
