import { printDecimal } from '@hunter/domain/decimal';
import type { Sql } from '../platform/postgres.ts';
import { SOL } from '../ledger/journal.ts';
import type { Movement } from './movements-of-transaction.ts';

export type MovementStatus = 'seen' | 'finalized' | 'orphaned';

export type MovementRow = Movement & {
  id: string;
  userId: string;
  walletAddress: string;
  signature: string;
  slot: bigint;
  status: MovementStatus;
  at: Date;
};

const COLUMNS = `id, user_id as "userId", wallet_address as "walletAddress", signature, asset, decimals, amount, slot,
  status, at`;

export type SeenMovement = Omit<MovementRow, 'id' | 'status'>;

/** Answers the rows that were new. Seen again means nothing. */
export async function recordSeen(sql: Sql, movements: readonly SeenMovement[]): Promise<MovementRow[]> {
  if (movements.length === 0) return [];
  return sql.query<MovementRow>(
    `insert into wallet_movement (user_id, wallet_address, signature, asset, decimals, amount, slot, at)
     select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::int[], $6::numeric[], $7::bigint[],
                          $8::timestamptz[])
     on conflict on constraint wallet_movement_once do nothing returning ${COLUMNS}`,
    [
      movements.map((row) => row.userId),
      movements.map((row) => row.walletAddress),
      movements.map((row) => row.signature),
      movements.map((row) => row.asset),
      movements.map((row) => row.decimals),
      movements.map((row) => row.amount),
      movements.map((row) => row.slot),
      movements.map((row) => row.at),
    ],
  );
}

export async function loadOpenMovements(sql: Sql, limit: number): Promise<MovementRow[]> {
  return sql.query<MovementRow>(
    `select ${COLUMNS} from wallet_movement where status = 'seen' order by seen_at, id limit $1`,
    [limit],
  );
}

/** Which of these signatures have a movement of the wallet on record. */
export async function loadRecordedSignatures(
  sql: Sql,
  walletAddress: string,
  signatures: readonly string[],
): Promise<Set<string>> {
  const rows = await sql.query<{ signature: string }>(
    `select distinct signature from wallet_movement where wallet_address = $1 and signature = any($2::text[])`,
    [walletAddress, signatures],
  );
  return new Set(rows.map((row) => row.signature));
}

export async function loadDeposits(
  sql: Sql,
  userId: string,
  page: { pageNo: number; pageSize: number },
): Promise<{ rows: MovementRow[]; total: number }> {
  const rows = await sql.query<MovementRow>(
    `select ${COLUMNS} from wallet_movement where user_id = $1 and amount > 0 order by at desc, id limit $2 offset $3`,
    [userId, page.pageSize, (page.pageNo - 1) * page.pageSize],
  );
  const [count] = await sql.query<{ total: number }>(
    `select count(*)::int as total from wallet_movement where user_id = $1 and amount > 0`,
    [userId],
  );
  return { rows, total: count?.total ?? 0 };
}

/** A short name for a mint whose token is not known here. */
export type TokenSymbols = (mints: readonly string[]) => Promise<ReadonlyMap<string, string>>;

export function shortMint(mint: string): string {
  return `${mint.slice(0, 4)}…${mint.slice(-4)}`;
}

export function depositView(row: MovementRow, symbols: ReadonlyMap<string, string>) {
  const isSol = row.asset === SOL;
  return {
    tokenContractAddress: isSol ? null : row.asset,
    tokenSymbol: isSol ? SOL : (symbols.get(row.asset) ?? shortMint(row.asset)),
    amount: printDecimal(row.amount, row.decimals),
    status: row.status,
    txHash: row.signature,
  };
}
