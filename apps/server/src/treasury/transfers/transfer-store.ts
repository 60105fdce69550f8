import type { ErrorName } from '@hunter/contract/error-catalogue';
import { loadBooksInWallets } from '../../ledger/books.ts';
import { enqueueAll } from '../../platform/outbox.ts';
import { columnsOf } from '../../platform/columns-of.ts';
import type { Sql } from '../../platform/postgres.ts';
import {
  TRANSFER_SETTLED_TOPIC,
  type Leg,
  type Transfer,
  type TransferKind,
  type TransferSettled,
  type TransferState,
  type TransferView,
} from './transfer.ts';

type LegRow = TransferView['legs'][number] & { transferId: string; line: number };
type TransferRow = Omit<TransferView, 'legs'> & { walletId: string };

const COLUMNS = `t.id, t.kind, t.wallet_id as "walletId", t.state, t.signature, t.error`;

function loadLegs(sql: Sql, ids: readonly string[]): Promise<LegRow[]> {
  return sql.query<LegRow>(
    `select transfer_id as "transferId", line, from_book as "fromBookId", to_book as "toBookId", asset, amount, received
     from transfer_leg where transfer_id = any($1::uuid[]) order by transfer_id, line`,
    [ids],
  );
}

/** In the order of the ids; those that do not exist are left out. */
export async function loadTransferViews(sql: Sql, ids: readonly string[]): Promise<TransferView[]> {
  const rows = await sql.query<TransferRow>(`select ${COLUMNS} from transfer t where t.id = any($1::uuid[])`, [ids]);
  const legs = Map.groupBy(await loadLegs(sql, ids), ({ transferId }) => transferId);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    if (!row) return [];
    const { walletId: _, ...view } = row;
    const own = legs.get(id) ?? [];
    return [{ ...view, legs: own.map(({ transferId: _id, line: _line, ...leg }) => leg) }];
  });
}

/** With what is needed to sign and to post them. */
async function complete(sql: Sql, rows: readonly TransferRow[]): Promise<Transfer[]> {
  const ids = rows.map(({ id }) => id);
  const legs = await loadLegs(sql, ids);
  const books = await loadBooksInWallets(sql, [...new Set(legs.flatMap((leg) => [leg.fromBookId, leg.toBookId]))]);
  const byTransfer = Map.groupBy(legs, ({ transferId }) => transferId);
  return rows.map((row) => {
    const own = (byTransfer.get(row.id) ?? []).map(({ line, fromBookId, toBookId, asset, amount, received }): Leg => {
      return { line, from: books.get(fromBookId)!, to: books.get(toBookId)!, asset, amount, received };
    });
    return { ...row, address: own[0]!.from.address, legs: own };
  });
}

/** Locked, in the order of their ids. */
export async function lockTransfers(sql: Sql, ids: readonly string[]): Promise<Map<string, Transfer>> {
  const rows = await sql.query<TransferRow>(
    `select ${COLUMNS} from transfer t where t.id = any($1::uuid[]) order by t.id for update`,
    [ids],
  );
  const transfers = await complete(sql, rows);
  return new Map(transfers.map((transfer) => [transfer.id, transfer]));
}

/** What waits for a signature: set aside, expired, or dropped after it was posted. Of those put off, the due ones and `own`. */
export async function loadUnsigned(
  sql: Sql,
  options: {
    ids: readonly string[] | null;
    own: readonly string[];
    now: Date;
    before: Date;
    exclude: readonly string[];
    limit: number;
  },
): Promise<Transfer[]> {
  const rows = await sql.query<TransferRow>(
    `select ${COLUMNS} from transfer t
     where (t.state = 'held' or (t.state = 'confirmed' and t.signature is null)) and t.created_at <= $2
       and (coalesce(t.retry_at <= $1, true) or t.id = any($6::uuid[]))
       and t.id <> all($3::uuid[]) and ($4::uuid[] is null or t.id = any($4::uuid[]))
     order by t.created_at, t.id limit $5`,
    [options.now, options.before, options.exclude, options.ids, options.limit, options.own],
  );
  return complete(sql, rows);
}

export async function insertTransfer(sql: Sql, transfer: Transfer, at: Date): Promise<boolean> {
  const { id, kind, walletId, legs } = transfer;
  const fresh = await sql.write(
    `insert into transfer (id, kind, wallet_id, created_at) values ($1, $2, $3, $4) on conflict do nothing returning 1`,
    [id, kind, walletId, at],
  );
  if (fresh.length === 0) return false;
  await sql.write(
    `insert into transfer_leg (transfer_id, line, from_book, to_book, asset, amount)
     select $1, * from unnest($2::int[], $3::uuid[], $4::uuid[], $5::text[], $6::numeric[])`,
    [
      id,
      legs.map(({ line }) => line),
      legs.map(({ from }) => from.bookId),
      legs.map(({ to }) => to.bookId),
      ...columnsOf(legs, 'asset', 'amount'),
    ],
  );
  return true;
}

/** In the transaction that records their signed bytes. Answers those that waited for them. */
export async function claimTransfers(
  sql: Sql,
  claims: readonly { id: string; signature: string }[],
): Promise<ReadonlySet<string>> {
  const rows = await sql.write<{ id: string }>(
    `update transfer t set state = case when t.state = 'held' then 'sent' else t.state end, signature = v.signature,
       attempts = t.attempts + 1, retry_at = null
     from unnest($1::uuid[], $2::text[]) v (id, signature)
     where t.id = v.id and (t.state = 'held' or (t.state = 'confirmed' and t.signature is null)) returning t.id`,
    [claims.map(({ id }) => id), claims.map(({ signature }) => signature)],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Their transactions provably did not and cannot happen: those not posted are held again, the others wait as they are. */
export async function releaseTransfers(sql: Sql, ids: readonly string[]): Promise<void> {
  await sql.write(
    `update transfer set state = case when state = 'sent' then 'held' else state end, signature = null,
       dropped = dropped or state = 'confirmed'
     where id = any($1::uuid[]) and state in ('sent', 'confirmed')`,
    [ids],
  );
}

/** What the signer does not sign before a later time, with the SOL in it. Tokens count by their transfer alone. */
export async function countPutOffTransfers(
  sql: Sql,
): Promise<Record<TransferKind, { count: number; lamports: bigint }>> {
  const rows = await sql.query<{ kind: TransferKind; count: number; lamports: bigint }>(
    `select t.kind, count(distinct t.id)::int as count,
       coalesce(sum(l.amount) filter (where l.asset = 'SOL'), 0)::numeric(40, 0) as lamports
     from transfer t join transfer_leg l on l.transfer_id = t.id
     where (t.state = 'held' or (t.state = 'confirmed' and t.signature is null)) and t.retry_at > now() group by 1`,
  );
  const none = { count: 0, lamports: 0n };
  return { commit: none, return: none, ...Object.fromEntries(rows.map(({ kind, ...sums }) => [kind, sums])) };
}

export async function postponeTransfer(sql: Sql, id: string, retryAt: Date): Promise<void> {
  await sql.write(`update transfer set retry_at = $2 where id = $1 and state in ('held', 'confirmed')`, [id, retryAt]);
}

export type Settled = {
  transfer: Transfer;
  state: TransferState;
  error: ErrorName | null;
  slot: bigint | null;
  feeLamports: bigint | null;
  /** By line. */
  received: ReadonlyMap<number, bigint>;
};

/** Their outcome, and the news of it for other areas. */
export async function saveSettled(sql: Sql, settled: readonly Settled[], at: Date): Promise<void> {
  await sql.write(
    `update transfer t set state = v.state, error = v.error, slot = v.slot, fee_lamports = v.fee, settled_at = $6
     from unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[], $5::numeric[]) v (id, state, error, slot, fee)
     where t.id = v.id`,
    [settled.map(({ transfer }) => transfer.id), ...columnsOf(settled, 'state', 'error', 'slot', 'feeLamports'), at],
  );
  const lines = settled.flatMap(({ transfer, received }) =>
    [...received].map(([line, amount]) => ({ id: transfer.id, line, amount })),
  );
  await sql.write(
    `update transfer_leg l set received = v.amount
     from unnest($1::uuid[], $2::int[], $3::numeric[]) v (id, line, amount)
     where l.transfer_id = v.id and l.line = v.line`,
    [lines.map(({ id }) => id), lines.map(({ line }) => line), lines.map(({ amount }) => amount)],
  );
  const events = settled.map(({ transfer, state }): TransferSettled => {
    return { transferId: transfer.id, kind: transfer.kind, state };
  });
  await enqueueAll(sql, TRANSFER_SETTLED_TOPIC, events);
}

/** Answers the signatures of the commits among them. */
export async function finalizeTransfers(sql: Sql, ids: readonly string[]): Promise<string[]> {
  const rows = await sql.write<{ kind: string; signature: string }>(
    `update transfer set state = 'finalized' where id = any($1::uuid[]) and state = 'confirmed' returning kind, signature`,
    [ids],
  );
  return rows.filter(({ kind }) => kind === 'commit').map(({ signature }) => signature);
}

/** Books into which a commit is under way or may still be undone: nothing leaves them until it is final. */
export async function loadFrozenBooks(sql: Sql, bookIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ bookId: string }>(
    `select distinct l.to_book as "bookId" from transfer_leg l join transfer t on t.id = l.transfer_id
     where l.to_book = any($1::uuid[]) and t.kind = 'commit' and t.state in ('held', 'sent', 'confirmed')`,
    [bookIds],
  );
  return new Set(rows.map(({ bookId }) => bookId));
}

/** SOL of commits that have not arrived yet, and the books they go to. */
export function loadCommitsUnderWay(sql: Sql): Promise<{ bookId: string; lamports: bigint }[]> {
  return sql.query(
    `select l.to_book as "bookId", l.amount as lamports from transfer t join transfer_leg l on l.transfer_id = t.id
     where t.kind = 'commit' and t.state in ('held', 'sent')`,
  );
}

/**
 * Wallets with a transfer on chain that is not final yet, from them or to them. One that the signer holds back is still in the wallet
 * it leaves; one that was posted and dropped is not where the books have it until it is sent again.
 */
export async function loadWalletsInTransfer(sql: Sql): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ walletId: string; bookId: string }>(
    `select t.wallet_id as "walletId", l.to_book as "bookId" from transfer t join transfer_leg l on l.transfer_id = t.id
     where t.state in ('sent', 'confirmed')`,
  );
  const bookIds = rows.map(({ bookId }) => bookId);
  const receivers = await loadBooksInWallets(sql, bookIds);
  return new Set([...rows.map(({ walletId }) => walletId), ...[...receivers.values()].map((book) => book.walletId)]);
}

/** SOL that has been returned from these books so far; a book without any is left out. */
export async function loadReturned(sql: Sql, bookIds: readonly string[]): Promise<ReadonlyMap<string, bigint>> {
  const rows = await sql.query<{ bookId: string; lamports: bigint }>(
    `select l.from_book as "bookId", sum(l.amount)::numeric(40, 0) as lamports
     from transfer_leg l join transfer t on t.id = l.transfer_id
     where l.from_book = any($1::uuid[]) and l.asset = 'SOL' and t.kind = 'return' and t.state in ('confirmed', 'finalized')
     group by l.from_book`,
    [bookIds],
  );
  return new Map(rows.map(({ bookId, lamports }) => [bookId, lamports]));
}

/** Whether the newest returns from a book, so many of them, all failed or were refused. */
export async function haveReturnsFailed(sql: Sql, bookId: string, times: number): Promise<boolean> {
  const rows = await sql.query<{ hasFailed: boolean }>(
    `select state in ('failed', 'dead') as "hasFailed" from transfer
     where kind = 'return' and id in (select transfer_id from transfer_leg where from_book = $1)
     order by created_at desc limit $2`,
    [bookId, times],
  );
  return rows.length === times && rows.every(({ hasFailed }) => hasFailed);
}

/**
 * SQL: lamports × milliseconds until a moment, of what commits brought into a book less what returns took out of it. Null for a book of
 * versions that knew no transfers.
 */
export function lamportMsUntil(book: string, until: string): string {
  return `(select sum(moved.lamports * greatest(0, floor(extract(epoch from ${until} - t.created_at) * 1000)))::numeric(40, 0) from (
      select transfer_id, received as lamports from transfer_leg where to_book = ${book} and asset = 'SOL'
      union all select transfer_id, -amount from transfer_leg where from_book = ${book} and asset = 'SOL'
    ) moved join transfer t on t.id = moved.transfer_id and t.state in ('confirmed', 'finalized'))`;
}

/** Those of these books into which a commit has brought SOL. */
export async function loadFundedBooks(sql: Sql, bookIds: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ bookId: string }>(
    `select distinct l.to_book as "bookId" from transfer_leg l join transfer t on t.id = l.transfer_id
     where l.to_book = any($1::uuid[]) and t.kind = 'commit' and t.state in ('confirmed', 'finalized')`,
    [bookIds],
  );
  return new Set(rows.map(({ bookId }) => bookId));
}

/** SOL that commits have brought into a book. */
export async function loadCommittedInto(sql: Sql, bookId: string): Promise<bigint> {
  const [row] = await sql.query<{ lamports: bigint }>(
    `select coalesce(sum(l.received), 0)::numeric(40, 0) as lamports from transfer_leg l join transfer t on t.id = l.transfer_id
     where l.to_book = $1 and t.kind = 'commit' and t.state in ('confirmed', 'finalized')`,
    [bookId],
  );
  return row!.lamports;
}
