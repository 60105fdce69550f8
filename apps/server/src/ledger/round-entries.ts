import type { Allocation } from '@hunter/domain/copying/allocation';
import type { Sql } from '../platform/postgres.ts';
import { postLines, type JournalKind, type Posting } from './journal.ts';

// A round posts to thousands of books with one entry. The lines of the books are its allocations: the database checks that they add
// up to the order and to what the chain says, and applies them to what the books hold (`round_applied` in the migrations). Reading
// them line by line is the view `journal_line`, reading them as fills `standing_fill`.

type Act = { orderId: string; at: Date };

/** Sets aside what the allocations of a round say, or gives it back. Refused with the constraint `balance_not_negative`. */
export async function postRoundHold(sql: Sql, { orderId, at }: Act): Promise<void> {
  await insertRoundEntry(sql, 'order-hold', 'hold', { orderId, at });
}

export async function postRoundRelease(sql: Sql, { orderId, at }: Act): Promise<void> {
  await insertRoundEntry(sql, 'order-release', 'release', { orderId, at });
}

export type RoundFill = Act &
  Allocation & {
    signature: string;
    slot: bigint;
    /** What each of its allocations put in, got and paid (`packShares`). */
    shares: Buffer;
    /** The entry's own lines: the outside world, the control lines, and what the round cost beside its allocations. */
    postings: readonly Posting[];
  };

/** Posts a round that traded. Positions and round trips of a purchase follow by themselves; those of a sale are the caller's. */
export async function postRoundFill(sql: Sql, { postings, ...fill }: RoundFill): Promise<void> {
  const entryId = await insertRoundEntry(sql, 'order-fill', 'fill', fill);
  // After the allocations, because a deposit may be paid out of what they set aside.
  await postLines(sql, entryId, postings);
}

async function insertRoundEntry(
  sql: Sql,
  kind: JournalKind,
  act: 'hold' | 'fill' | 'release',
  { orderId, at, ...fill }: Act & Partial<Omit<RoundFill, 'postings'>>,
): Promise<bigint> {
  const rows = await sql.write<{ entryId: bigint }>(
    `with entry as (
       insert into journal_entry (kind, reference, signature, slot, at) values ($1, $2::text, $4, $5, $6) returning id
     )
     insert into round_entry (entry_id, order_id, act, amount_in, amount_out, fee_lamports, shares, fill_id)
     select id, $2::uuid, $3::text, $7::numeric, $8::numeric, $9::numeric, $10::bytea,
       case when $3 = 'fill' then nextval(pg_get_serial_sequence('fill', 'id')) end from entry
     returning entry_id as "entryId"`,
    [
      kind,
      orderId,
      act,
      fill.signature ?? null,
      fill.slot ?? null,
      at,
      fill.amountIn ?? null,
      fill.amountOut ?? null,
      fill.feeLamports ?? null,
      fill.shares ?? null,
    ],
  );
  return rows[0]!.entryId;
}

/**
 * Before rounds lose their fills: the lines and fills that were derived from them are written down, so that they can be taken back
 * like any others.
 */
export async function keepRoundFills(sql: Sql, orderIds: readonly string[]): Promise<void> {
  await sql.write(
    `insert into kept_line (entry_id, book_id, account, asset, amount)
     select entry_id, book_id, account, asset, amount from round_line where order_id = any($1::uuid[]) and act = 'fill'`,
    [orderIds],
  );
  await sql.write(
    `insert into fill (id, reference, user_id, book_id, mint, kind, tokens, lamports, fee_lamports, cost_lamports,
       uncosted_tokens, order_id, signature, slot, at)
     overriding system value
     select id, reference, user_id, book_id, mint, kind, tokens, lamports, fee_lamports, cost_lamports, uncosted_tokens, order_id,
       signature, slot, at
     from round_fill where order_id = any($1::uuid[])`,
    [orderIds],
  );
  await sql.write(`delete from round_entry where order_id = any($1::uuid[]) and act = 'fill'`, [orderIds]);
}
