import type { Address } from '@hunter/solana/address';
import { systemClock } from '../platform/clock.ts';
import type { Sql } from '../platform/postgres.ts';

export const SOL = 'SOL' as const;
/** What an amount is of: SOL, or the token of a mint. */
export type Asset = typeof SOL | Address;

export function isMint(asset: Asset): asset is Address {
  return asset !== SOL;
}

/** Accounts of a book; a posting without a book names a part of the outside world instead. */
export type BookAccount = 'cash' | 'held' | 'rent';
export type OutsideAccount =
  | 'chain'
  | 'venue'
  | 'network-fee'
  | 'token-account-rent'
  | 'external'
  // Control lines of a round: what its allocations are together, whose lines the view `journal_line` has in their place.
  | 'allocations';

export type Posting =
  | { bookId: string; account: BookAccount; asset: Asset; amount: bigint }
  | { bookId: null; account: OutsideAccount; asset: Asset; amount: bigint };

/** Those of these kinds move money between a wallet and somebody else. */
const outsideKinds = ['deposit', 'withdrawal', 'external-out', 'settlement'] as const;
/** What an entry records. The database knows the same list (constraint `journal_entry_kind_known`). */
export const journalKinds = [
  ...outsideKinds,
  'withdrawal-hold',
  'withdrawal-release',
  'order-hold',
  'order-release',
  'order-fill',
  'order-failed',
  'rent-return',
  'rent-return-failed',
  'move-sol',
  'move-tokens',
  'move-rent',
  'transfer-hold',
  'transfer-release',
  'commit',
  'return',
  'transfer-failed',
  // Takes another entry back whose cause the chain dropped or changed; its reference is that entry's kind and reference.
  'reversal',
  'trigger-hold',
  'trigger-release',
] as const;
export type JournalKind = (typeof journalKinds)[number];

/** For SQL: `kind in ${OUTSIDE_KINDS}`. */
export const OUTSIDE_KINDS = `('${outsideKinds.join("', '")}')`;

/** For SQL, of an entry `e`: it was not taken back. */
export const STANDS = `not exists (
  select 1 from journal_entry r where r.kind = 'reversal' and r.reference = e.kind || ':' || e.reference)`;

export type JournalEntry = {
  kind: JournalKind;
  /** What caused it; together with `kind` it is unique, so a repeated event posts nothing twice. */
  reference: string;
  signature?: string;
  slot?: bigint;
  at?: Date;
  memo?: string;
  postings: Posting[];
};

/**
 * Posts entries with their lines in one statement, however many they are, and answers which of them were new. The
 * database refuses the whole call when an entry does not sum to zero per asset or a balance would fall below zero
 * (constraints `posting_zero_sum` and `balance_not_negative`).
 */
export async function postEntries(sql: Sql, entries: readonly JournalEntry[]): Promise<boolean[]> {
  if (entries.length === 0) return [];
  const lines = entries.flatMap((entry, place) =>
    entry.postings.filter(({ amount }) => amount !== 0n).map((posting, line) => ({ place: place + 1, line, posting })),
  );
  const now = new Date(systemClock.nowMs());
  const inserted = await sql.write<{ kind: string; reference: string }>(
    `with given as (
       select * from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::timestamptz[], $6::text[])
         with ordinality v (kind, reference, signature, slot, at, memo, place)
     ), entry as (
       insert into journal_entry (kind, reference, signature, slot, at, memo)
       select kind, reference, signature, slot, at, memo from given
       on conflict on constraint journal_entry_once do nothing
       returning id, kind, reference
     ), lines as (
       insert into posting (entry_id, line, book_id, account, asset, amount)
       select entry.id, p.line, p.book_id, p.account, p.asset, p.amount
       from unnest($7::int[], $8::int[], $9::uuid[], $10::text[], $11::text[], $12::numeric[])
         p (place, line, book_id, account, asset, amount)
       join given on given.place = p.place
       join entry on entry.kind = given.kind and entry.reference = given.reference
     )
     select kind, reference from entry`,
    [
      entries.map((entry) => entry.kind),
      entries.map((entry) => entry.reference),
      entries.map((entry) => entry.signature ?? null),
      entries.map((entry) => entry.slot ?? null),
      entries.map((entry) => entry.at ?? now),
      entries.map((entry) => entry.memo ?? null),
      lines.map((row) => row.place),
      lines.map((row) => row.line),
      lines.map((row) => row.posting.bookId),
      lines.map((row) => row.posting.account),
      lines.map((row) => row.posting.asset),
      lines.map((row) => row.posting.amount),
    ],
  );
  const fresh = new Set(inserted.map((row) => `${row.kind}\n${row.reference}`));
  return entries.map((entry) => fresh.has(`${entry.kind}\n${entry.reference}`));
}

/** Lines of an entry that exists already, under the same rules. */
export async function postLines(sql: Sql, entryId: bigint, postings: readonly Posting[]): Promise<void> {
  const lines = postings.filter(({ amount }) => amount !== 0n);
  await sql.write(
    `insert into posting (entry_id, line, book_id, account, asset, amount)
     select $1, line, book_id, account, asset, amount
     from unnest($2::uuid[], $3::text[], $4::text[], $5::numeric[]) with ordinality v (book_id, account, asset, amount, line)`,
    [
      entryId,
      lines.map(({ bookId }) => bookId),
      lines.map(({ account }) => account),
      lines.map(({ asset }) => asset),
      lines.map(({ amount }) => amount),
    ],
  );
}

export type EntryName = Pick<JournalEntry, 'kind' | 'reference'>;

/** Line by line the opposite. Each entry is taken back at most once, because its name is the reference. */
export function reversalOf(entry: JournalEntry, { at, cause }: { at: Date; cause: string }): JournalEntry {
  const { kind, reference, signature, slot, postings } = entry;
  return {
    kind: 'reversal',
    reference: `${kind}:${reference}`,
    ...(signature === undefined ? {} : { signature }),
    ...(slot === undefined ? {} : { slot }),
    at,
    memo: cause,
    postings: postings.map((posting) => ({ ...posting, amount: -posting.amount })),
  };
}

/** Entries as they were posted; those that do not exist or were taken back are left out. */
export async function loadStandingEntries(sql: Sql, names: readonly EntryName[]): Promise<JournalEntry[]> {
  const entries = await sql.query<{
    id: bigint;
    kind: JournalKind;
    reference: string;
    signature: string | null;
    slot: bigint | null;
    memo: string | null;
  }>(
    `select e.id, e.kind, e.reference, e.signature, e.slot, e.memo
     from unnest($1::text[], $2::text[]) v (kind, reference)
       join journal_entry e on e.kind = v.kind and e.reference = v.reference
     where ${STANDS} order by e.id`,
    [names.map((name) => name.kind), names.map((name) => name.reference)],
  );
  const lines = await sql.query<Posting & { entryId: bigint }>(
    `select entry_id as "entryId", book_id as "bookId", account, asset, amount from journal_line
     where entry_id = any($1::bigint[]) order by entry_id, line`,
    [entries.map(({ id }) => id)],
  );
  const byEntry = Map.groupBy(lines, ({ entryId }) => entryId);
  return entries.map(({ id, kind, reference, signature, slot, memo }): JournalEntry => {
    const own = byEntry.get(id) ?? [];
    const postings = own.map(({ bookId, account, asset, amount }) => ({ bookId, account, asset, amount }) as Posting);
    const known = { ...(signature === null ? {} : { signature }), ...(slot === null ? {} : { slot }) };
    return { kind, reference, ...known, ...(memo === null ? {} : { memo }), postings };
  });
}
