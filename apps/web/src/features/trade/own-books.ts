import type { CallReply } from '@hunter/contract/calls';
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
