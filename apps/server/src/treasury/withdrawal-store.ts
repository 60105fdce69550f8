import type { ErrorName } from '@hunter/contract/error-catalogue';
import type { Sql } from '../platform/postgres.ts';
import { postEntries, SOL, type Posting } from '../ledger/journal.ts';
import { recordLinks } from './wallet-links.ts';
import { nextWithdrawalStates, type Withdrawal, type WithdrawalState } from './withdrawal.ts';

const COLUMNS = `w.id, w.user_id as "userId", w.book_id as "bookId", w.from_address as "fromAddress",
  w.to_address as "toAddress", w.lamports, w.fee_lamports as "feeLamports", w.state, w.held_until as "heldUntil",
  w.signature, w.error, w.created_at as "createdAt"`;

/** In the transaction that also holds the money. */
export async function insertWithdrawal(
  sql: Sql,
  row: Pick<Withdrawal, 'id' | 'userId' | 'bookId' | 'fromAddress' | 'toAddress' | 'lamports' | 'feeLamports'> & {
    requestKey: string;
  },
): Promise<Withdrawal> {
  const rows = await sql.query<Withdrawal>(
    `insert into withdrawal as w (id, user_id, book_id, from_address, to_address, lamports, fee_lamports, request_key)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${COLUMNS}`,
    [row.id, row.userId, row.bookId, row.fromAddress, row.toAddress, row.lamports, row.feeLamports, row.requestKey],
  );
  await postEntries(sql, [
    {
      kind: 'withdrawal-hold',
      reference: row.id,
      postings: [
        { bookId: row.bookId, account: 'cash', asset: SOL, amount: -(row.lamports + row.feeLamports) },
        { bookId: row.bookId, account: 'held', asset: SOL, amount: row.lamports + row.feeLamports },
      ],
    },
  ]);
  await recordLinks(sql, [{ walletAddress: row.fromAddress, otherAddress: row.toAddress }]);
  return rows[0]!;
}

export async function loadByRequestKey(sql: Sql, userId: string, requestKey: string): Promise<Withdrawal | null> {
  const rows = await sql.query<Withdrawal>(
    `select ${COLUMNS} from withdrawal w where user_id = $1 and request_key = $2 and state <> 'refused'`,
    [userId, requestKey],
  );
  return rows[0] ?? null;
}

export async function loadWithdrawal(sql: Sql, id: string): Promise<Withdrawal | null> {
  const rows = await sql.query<Withdrawal>(`select ${COLUMNS} from withdrawal w where id = $1`, [id]);
  return rows[0] ?? null;
}

export async function loadWithdrawals(
  sql: Sql,
  userId: string,
  page: { pageNo: number; pageSize: number },
): Promise<{ rows: Withdrawal[]; total: number }> {
  const rows = await sql.query<Withdrawal>(
    `select ${COLUMNS} from withdrawal w where user_id = $1 and state <> 'refused'
     order by created_at desc, id limit $2 offset $3`,
    [userId, page.pageSize, (page.pageNo - 1) * page.pageSize],
  );
  const [count] = await sql.query<{ total: number }>(
    `select count(*)::int as total from withdrawal where user_id = $1 and state <> 'refused'`,
    [userId],
  );
  return { rows, total: count?.total ?? 0 };
}

/** What a process must sign again or give up; `requested` only once whoever asked for it must be gone. */
export async function loadUnsigned(
  sql: Sql,
  now: Date,
  abandonedAfterSeconds: number,
  limit: number,
): Promise<Withdrawal[]> {
  return sql.query<Withdrawal>(
    `select ${COLUMNS} from withdrawal w
     where w.state = 'approved' or (w.state = 'delayed' and w.held_until <= $1)
        or (w.state = 'requested' and w.created_at < $1::timestamptz - make_interval(secs => $2))
     order by w.created_at limit $3`,
    [now, abandonedAfterSeconds, limit],
  );
}

/**
 * The only way a state changes. False when another process or the user was faster, and then nothing that the caller
 * prepared for the new state may be used.
 */
export async function advance(
  sql: Sql,
  id: string,
  from: WithdrawalState,
  to: WithdrawalState,
  fields: { heldUntil?: Date; signature?: string; error?: ErrorName } = {},
): Promise<boolean> {
  if (!(nextWithdrawalStates[from] as readonly WithdrawalState[]).includes(to)) {
    throw new Error(`a withdrawal does not go from ${from} to ${to}`);
  }
  const settled = nextWithdrawalStates[to].length === 0;
  const rows = await sql.query(
    `update withdrawal set state = $3, held_until = coalesce($4, held_until), signature = coalesce($5, signature),
            error = coalesce($6, error), settled_at = case when $7 then now() else settled_at end
     where id = $1 and state = $2 returning 1`,
    [id, from, to, fields.heldUntil ?? null, fields.signature ?? null, fields.error ?? null, settled],
  );
  return rows.length > 0;
}

export async function postponeHold(sql: Sql, id: string, heldUntil: Date): Promise<void> {
  await sql.query(`update withdrawal set held_until = $2 where id = $1 and state = 'delayed'`, [id, heldUntil]);
}

/** Gives everything back that is still held. */
export async function postRelease(sql: Sql, row: Withdrawal): Promise<void> {
  const amount = row.lamports + row.feeLamports;
  await postEntries(sql, [
    {
      kind: 'withdrawal-release',
      reference: row.id,
      postings: [
        { bookId: row.bookId, account: 'held', asset: SOL, amount: -amount },
        { bookId: row.bookId, account: 'cash', asset: SOL, amount },
      ],
    },
  ]);
}

export type WithdrawalOutcome = { slot: bigint; paidLamports: bigint; feeLamports: bigint };

/** What the chain says left the wallet: the amount (nothing where it failed) and the fee; the rest of the hold is freed. */
export async function postOutcome(sql: Sql, row: Withdrawal, outcome: WithdrawalOutcome): Promise<void> {
  const held = row.lamports + row.feeLamports;
  const left = outcome.paidLamports + outcome.feeLamports;
  const postings: Posting[] = [
    { bookId: row.bookId, account: 'held', asset: SOL, amount: -held },
    { bookId: row.bookId, account: 'cash', asset: SOL, amount: held - left },
    { bookId: null, account: 'external', asset: SOL, amount: outcome.paidLamports },
    { bookId: null, account: 'network-fee', asset: SOL, amount: outcome.feeLamports },
  ];
  const { signature } = row;
  await postEntries(sql, [
    { kind: 'withdrawal', reference: row.id, ...(signature ? { signature } : {}), slot: outcome.slot, postings },
  ]);
}
