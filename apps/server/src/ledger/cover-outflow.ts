import { shareOut } from '@hunter/domain/copying/allocation';
import type { BookAmount } from './wallet-balance.ts';

/**
 * Whose money an outflow was that nobody here signed: what is unclaimed and the personal book's first, then that of all other books
 * pro rata to the base unit, because none of them is nearer to the theft than another. What is set aside stays, because something is
 * under way with it; where free money does not suffice, less is covered.
 */
export function coverOutflow(
  free: readonly Pick<BookAmount, 'bookId' | 'kind' | 'amount'>[],
  amount: bigint,
): { bookId: string; amount: bigint }[] {
  const isFirst = ({ kind }: Pick<BookAmount, 'kind'>): boolean => kind === 'personal' || kind === 'unclaimed';
  const taken: { bookId: string; amount: bigint }[] = [];
  let missing = amount;
  for (const { bookId, amount: has } of free.filter(isFirst)) {
    const part = has < missing ? has : missing;
    taken.push({ bookId, amount: part });
    missing -= part;
  }
  const others = free.filter((row) => !isFirst(row)).toSorted((one, other) => (one.bookId < other.bookId ? -1 : 1));
  const weights = others.map((row) => row.amount);
  const all = weights.reduce((sum, weight) => sum + weight, 0n);
  const shares = shareOut(missing < all ? missing : all, weights, () => [...weights.keys()]);
  taken.push(...others.map(({ bookId }, index) => ({ bookId, amount: shares[index]! })));
  return taken.filter((part) => part.amount > 0n);
}
