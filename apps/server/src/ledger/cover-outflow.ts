import type { FreeBalance } from './wallet-balance.ts';

/**
 * Whose money an outflow was that nobody here signed: what is unclaimed and the personal book's first, then the other books' in
 * the given order. What is set aside stays, because something is under way with it; where free money does not suffice, less is
 * covered.
 */
export function coverOutflow(
  free: readonly Pick<FreeBalance, 'bookId' | 'kind' | 'amount'>[],
  amount: bigint,
): { bookId: string; amount: bigint }[] {
  const isFirst = ({ kind }: Pick<FreeBalance, 'kind'>): boolean => kind === 'personal' || kind === 'unclaimed';
  const ordered = [...free.filter(isFirst), ...free.filter((row) => !isFirst(row))];
  const taken: { bookId: string; amount: bigint }[] = [];
  let missing = amount;
  for (const { bookId, amount: has } of ordered) {
    if (missing === 0n) break;
    const part = has < missing ? has : missing;
    if (part > 0n) taken.push({ bookId, amount: part });
    missing -= part;
  }
  return taken;
}
