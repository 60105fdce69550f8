import type { ErrorName } from '@hunter/contract/error-catalogue';
import type { Sql } from '../platform/postgres.ts';
import { rowValues } from '../platform/columns-of.ts';
import { baseUnits } from '@hunter/domain/numbers/base-units';
import { FLAT, takeOut } from '@hunter/domain/record/position';
import type { HoldReason } from '@hunter/signer-client/signer-error';
import type { Address } from '@hunter/solana/address';
import { postEntries, SOL, type Posting, type Asset } from '../ledger/journal.ts';
import { lockPositionsAt, recordFills } from '../ledger/positions.ts';
import { heldLamports, nextWithdrawalStates, type Withdrawal, type WithdrawalState } from './withdrawal.ts';

const COLUMNS = `w.id, w.user_id as "userId", w.book_id as "bookId", w.from_address as "fromAddress",
  w.to_address as "toAddress", w.asset, w.amount, w.decimals, w.token_program as "tokenProgram",
  w.fee_lamports as "feeLamports", w.rent_lamports as "rentLamports", w.state, w.held_until as "heldUntil",
  w.hold_reason as "holdReason", w.signature, w.error, w.created_at as "createdAt"`;

/** What somebody wants to send, with what it costs. */
export type WithdrawalIntent = Pick<
  Withdrawal,
  'toAddress' | 'asset' | 'amount' | 'decimals' | 'tokenProgram' | 'feeLamports' | 'rentLamports'
>;

/** Sets everything aside, or with -1 frees it again. */
function moveHeld(row: Withdrawal, sign: 1n | -1n): Posting[] {
  const move = (asset: Asset, amount: bigint): Posting[] => [
    { bookId: row.bookId, account: 'cash', asset, amount: -sign * amount },
    { bookId: row.bookId, account: 'held', asset, amount: sign * amount },
  ];
  return [...move(SOL, heldLamports(row)), ...(row.asset === SOL ? [] : move(row.asset, row.amount))];
}

/** In the transaction that also holds the money. */
export async function insertWithdrawal(
  sql: Sql,
  row: WithdrawalIntent & { id: string; userId: string; bookId: string; fromAddress: Address; requestKey: string },
): Promise<Withdrawal> {
  const rows = await sql.write<Withdrawal>(
    `insert into withdrawal as w (id, user_id, book_id, from_address, to_address, asset, amount, decimals, token_program,
       fee_lamports, rent_lamports, request_key)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning ${COLUMNS}`,
    [
      ...rowValues(row, 'id', 'userId', 'bookId', 'fromAddress', 'toAddress', 'asset', 'amount', 'decimals'),
      ...rowValues(row, 'tokenProgram', 'feeLamports', 'rentLamports', 'requestKey'),
    ],
  );
  await postEntries(sql, [{ kind: 'withdrawal-hold', reference: row.id, postings: moveHeld(rows[0]!, 1n) }]);
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

/** Whether a withdrawal of the user has arrived there, by address. */
export async function loadUsedAddresses(
  sql: Sql,
  userId: string,
  addresses: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ address: string }>(
    `select distinct to_address as address from withdrawal
     where user_id = $1 and state = 'finalized' and to_address = any($2::text[])`,
    [userId, addresses],
  );
  return new Set(rows.map((row) => row.address));
}

/** Those that wait, for whoever cancels all of them. */
export function loadHeld(sql: Sql, userId: string): Promise<Withdrawal[]> {
  return sql.query<Withdrawal>(`select ${COLUMNS} from withdrawal w where user_id = $1 and state = 'delayed'`, [
    userId,
  ]);
}

/** Those of a user that are neither sent nor over, also those that the signer is being asked for now. */
export async function countWaiting(sql: Sql, userId: string): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `select count(*)::int as count from withdrawal where user_id = $1 and state in ('requested', 'delayed')`,
    [userId],
  );
  return row!.count;
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
  fields: { heldUntil?: Date; holdReason?: HoldReason | null; signature?: string; error?: ErrorName } = {},
): Promise<boolean> {
  if (!(nextWithdrawalStates[from] as readonly WithdrawalState[]).includes(to)) {
    throw new Error(`a withdrawal does not go from ${from} to ${to}`);
  }
  const settled = nextWithdrawalStates[to].length === 0;
  const rows = await sql.write(
    `update withdrawal set state = $3, held_until = coalesce($4, held_until), signature = coalesce($5, signature),
            error = coalesce($6, error), settled_at = case when $7 then now() else settled_at end,
            hold_reason = coalesce($8, hold_reason)
     where id = $1 and state = $2 returning 1`,
    [
      id,
      from,
      to,
      fields.heldUntil ?? null,
      fields.signature ?? null,
      fields.error ?? null,
      settled,
      fields.holdReason ?? null,
    ],
  );
  return rows.length > 0;
}

/** What it waits for may be another reason by now. */
export async function postponeHold(
  sql: Sql,
  id: string,
  { heldUntil, holdReason }: { heldUntil: Date; holdReason: HoldReason | null },
): Promise<void> {
  await sql.write(
    `update withdrawal set held_until = $2, hold_reason = coalesce($3, hold_reason) where id = $1 and state = 'delayed'`,
    [id, heldUntil, holdReason],
  );
}

/** Gives everything back that is still held. */
export async function postRelease(sql: Sql, row: Withdrawal): Promise<void> {
  await postEntries(sql, [{ kind: 'withdrawal-release', reference: row.id, postings: moveHeld(row, -1n) }]);
}

/** `paidLamports`: what left the wallet besides the fee, to the destination or into its new token account. */
export type WithdrawalOutcome = { slot: bigint; paidLamports: bigint; feeLamports: bigint; tokens: bigint };

/** What the chain says left the wallet: the amount (nothing where it failed) and the fee; the rest of the hold is freed. */
export async function postOutcome(sql: Sql, row: Withdrawal, outcome: WithdrawalOutcome, at: Date): Promise<void> {
  const { bookId, asset } = row;
  const isSol = asset === SOL;
  const postings: Posting[] = [
    ...moveHeld(row, -1n),
    { bookId, account: 'cash', asset: SOL, amount: -(outcome.paidLamports + outcome.feeLamports) },
    { bookId: null, account: isSol ? 'external' : 'token-account-rent', asset: SOL, amount: outcome.paidLamports },
    { bookId: null, account: 'network-fee', asset: SOL, amount: outcome.feeLamports },
  ];
  if (!isSol) {
    postings.push({ bookId, account: 'cash', asset, amount: -outcome.tokens });
    postings.push({ bookId: null, account: 'external', asset, amount: outcome.tokens });
  }
  const cause = { slot: outcome.slot, ...(row.signature ? { signature: row.signature } : {}) };
  const [fresh] = await postEntries(sql, [{ kind: 'withdrawal', reference: row.id, ...cause, postings }]);
  if (!fresh || isSol || outcome.tokens === 0n) return;
  const tokens = baseUnits(outcome.tokens);
  const positions = await lockPositionsAt(sql, [{ bookId, mint: asset }]);
  const { taken } = takeOut(positions.get(`${bookId} ${asset}`) ?? FLAT, tokens);
  await sql.write(`update withdrawal set cost_lamports = $2 where id = $1`, [row.id, taken.costLamports]);
  const fill = { kind: 'sent', tokens } as const;
  await recordFills(sql, [
    { ...cause, reference: `withdrawal:${row.id}`, userId: row.userId, bookId, mint: asset, fill, at },
  ]);
}
