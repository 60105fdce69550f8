import type { JournalEntry, Posting } from '../ledger/journal.ts';

/** Entries that together take back what one transaction did. */
export type Undo = { id: string; entries: readonly JournalEntry[] };

export function balanceKey({ bookId, account, asset }: Pick<Posting, 'bookId' | 'account' | 'asset'>): string {
  return `${bookId} ${account} ${asset}`;
}

/** What entries change in the balances of books, by book, account and asset. */
export function balanceEffect(entries: readonly JournalEntry[]): Map<string, bigint> {
  const effect = new Map<string, bigint>();
  for (const posting of entries.flatMap(({ postings }) => postings)) {
    if (posting.bookId === null) continue;
    const key = balanceKey(posting);
    effect.set(key, (effect.get(key) ?? 0n) + posting.amount);
  }
  return effect;
}

/**
 * Which of these can be taken back now without leaving a balance below zero. What a dropped purchase brought may have been used
 * since, by a transaction that the same fork took along: taking that one back gives it back, so the order among them does not matter.
 * Those that wait are tried again once whatever used it has ended.
 */
export function decideUndo<One extends Undo>(
  undos: readonly One[],
  balances: ReadonlyMap<string, bigint>,
): { now: One[]; wait: One[] } {
  let waiting = undos.map((undo) => ({ undo, effect: balanceEffect(undo.entries) }));
  // All of them at once, less those that cannot be afforded, until what is left can be.
  for (;;) {
    const after = new Map(balances);
    for (const { effect } of waiting) {
      for (const [key, change] of effect) after.set(key, (after.get(key) ?? 0n) + change);
    }
    const short = new Set([...after].filter(([, amount]) => amount < 0n).map(([key]) => key));
    if (short.size === 0) break;
    // One after the other, the last given first: leaving one out may be enough.
    const last = waiting.findLastIndex(({ effect }) =>
      [...effect].some(([key, change]) => change < 0n && short.has(key)),
    );
    waiting = waiting.toSpliced(last, 1);
  }
  const now = new Set(waiting.map(({ undo }) => undo));
  return { now: undos.filter((undo) => now.has(undo)), wait: undos.filter((undo) => !now.has(undo)) };
}
