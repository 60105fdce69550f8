export type FreeBalance = { bookId: string; kind: 'personal' | 'strategy' | 'follow'; amount: bigint };

/**
 * Whose money an outflow was that nobody here signed: the personal book's first, then the other books' in the given
 * order. Null when free money does not suffice; what is set aside stays, because something is under way with it.
 */
export function coverOutflow(
  free: readonly FreeBalance[],
  amount: bigint,
): { bookId: string; amount: bigint }[] | null {
  const ordered = [...free.filter((row) => row.kind === 'personal'), ...free.filter((row) => row.kind !== 'personal')];
  const taken: { bookId: string; amount: bigint }[] = [];
  let missing = amount;
  for (const { bookId, amount: has } of ordered) {
    if (missing === 0n) break;
    const part = has < missing ? has : missing;
    if (part > 0n) taken.push({ bookId, amount: part });
    missing -= part;
  }
  return missing === 0n ? taken : null;
}
