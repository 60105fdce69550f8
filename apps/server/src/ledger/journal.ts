import type { Sql } from '../platform/postgres.ts';

export const SOL = 'SOL';

/** Accounts of a book; a posting without a book names a part of the outside world instead. */
export type BookAccount = 'cash' | 'held' | 'rent';
export type OutsideAccount = 'chain' | 'venue' | 'network-fee' | 'token-account-rent' | 'external';

export type Posting =
  | { bookId: string; account: BookAccount; asset: string; amount: bigint }
  | { bookId: null; account: OutsideAccount; asset: string; amount: bigint };

export type JournalEntry = {
  kind: string;
  /** What caused it; together with `kind` it is unique, so a repeated event posts nothing twice. */
  reference: string;
  signature?: string;
  slot?: bigint;
  at?: Date;
  memo?: string;
  postings: Posting[];
};

/**
 * Posts entries in one statement each for entries and lines, and answers which of them were new. The database refuses
 * the whole call when an entry does not sum to zero per asset or a balance would fall below zero
 * (constraints `posting_zero_sum` and `balance_not_negative`).
 */
export async function postEntries(sql: Sql, entries: readonly JournalEntry[]): Promise<boolean[]> {
  if (entries.length === 0) return [];
  const inserted = await sql.query<{ id: bigint; kind: string; reference: string }>(
    `insert into journal_entry (kind, reference, signature, slot, at, memo)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::timestamptz[], $6::text[])
     on conflict on constraint journal_entry_once do nothing
     returning id, kind, reference`,
    [
      entries.map((entry) => entry.kind),
      entries.map((entry) => entry.reference),
      entries.map((entry) => entry.signature ?? null),
      entries.map((entry) => entry.slot ?? null),
      entries.map((entry) => entry.at ?? new Date()),
      entries.map((entry) => entry.memo ?? null),
    ],
  );
  const idOf = new Map(inserted.map((row) => [`${row.kind}\n${row.reference}`, row.id]));
  const lines: { entryId: bigint; line: number; posting: Posting }[] = [];
  for (const entry of entries) {
    const entryId = idOf.get(`${entry.kind}\n${entry.reference}`);
    if (entryId === undefined) continue;
    entry.postings
      .filter((posting) => posting.amount !== 0n)
      .forEach((posting, line) => lines.push({ entryId, line, posting }));
  }
  if (lines.length > 0) {
    await sql.query(
      `insert into posting (entry_id, line, book_id, account, asset, amount)
       select * from unnest($1::bigint[], $2::int[], $3::uuid[], $4::text[], $5::text[], $6::numeric[])`,
      [
        lines.map((row) => row.entryId),
        lines.map((row) => row.line),
        lines.map((row) => row.posting.bookId),
        lines.map((row) => row.posting.account),
        lines.map((row) => row.posting.asset),
        lines.map((row) => row.posting.amount),
      ],
    );
  }
  return entries.map((entry) => idOf.has(`${entry.kind}\n${entry.reference}`));
}
