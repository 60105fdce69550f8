import { ALL_WALLETS, rangeOf, type WalletRange } from '../ledger/wallet-part.ts';
import { printDecimal } from '@hunter/domain/numbers/decimal';
import type { Sql } from '../platform/postgres.ts';
import { columnsOf } from '../platform/columns-of.ts';
import { SOL, type Asset } from '../ledger/journal.ts';
import { loadPersonalWallet } from '../ledger/wallets.ts';
import type { Movement } from './movements-of-transaction.ts';

export type MovementStatus = 'seen' | 'finalized' | 'orphaned';

export type MovementRow = Movement & {
  id: string;
  userId: string;
  walletId: string;
  walletAddress: string;
  signature: string;
  slot: bigint;
  status: MovementStatus;
  /** How much of it has been posted so far. */
  posted: bigint;
  /** Of an outflow that could not be posted at once. */
  alarmedAt: Date | null;
  at: Date;
};

const COLUMNS = `id, user_id as "userId", wallet_id as "walletId", wallet_address as "walletAddress", signature, asset,
  decimals, amount, slot, status, posted, alarmed_at as "alarmedAt", at`;

export type SeenMovement = Omit<MovementRow, 'id' | 'status' | 'posted' | 'alarmedAt'>;

/** Answers the rows that were new, or given up before. Seen again means nothing otherwise. */
export async function recordSeen(sql: Sql, movements: readonly SeenMovement[]): Promise<MovementRow[]> {
  if (movements.length === 0) return [];
  return sql.write<MovementRow>(
    `insert into wallet_movement (user_id, wallet_id, wallet_address, signature, asset, decimals, amount, slot, at)
     select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::int[], $7::numeric[],
                          $8::bigint[], $9::timestamptz[])
     on conflict on constraint wallet_movement_once do update
       set status = 'seen', amount = excluded.amount, slot = excluded.slot, at = excluded.at, seen_at = now()
       where wallet_movement.status = 'orphaned'
     returning ${COLUMNS}`,
    [
      ...columnsOf(movements, 'userId', 'walletId', 'walletAddress', 'signature', 'asset', 'decimals', 'amount'),
      ...columnsOf(movements, 'slot', 'at'),
    ],
  );
}

/**
 * Everything that is open of some transactions, each whole. Those that could not be posted before come last and in another order
 * each time: however many of them somebody makes, new ones do not wait behind them, and none of them is forgotten.
 */
export async function loadOpenMovements(
  sql: Sql,
  transactions: number,
  { from, until }: WalletRange = rangeOf(ALL_WALLETS),
): Promise<MovementRow[]> {
  return sql.query<MovementRow>(
    `with next as (
       select signature, wallet_address from wallet_movement
       where status = 'seen' and wallet_id >= $2 and ($3::uuid is null or wallet_id < $3) group by signature, wallet_address
       order by bool_or(alarmed_at is not null), case when bool_or(alarmed_at is not null) then random() end, min(seen_at)
       limit $1
     )
     select ${COLUMNS} from wallet_movement join next using (signature, wallet_address) where status = 'seen' order by seen_at, id`,
    [transactions, from, until],
  );
}

/** Which of these signatures have a movement of the wallet on record. One that was given up is read again where the chain has it after all. */
export async function loadRecordedSignatures(
  sql: Sql,
  walletAddress: string,
  signatures: readonly string[],
): Promise<Set<string>> {
  const rows = await sql.query<{ signature: string }>(
    `select distinct signature from wallet_movement where wallet_address = $1 and signature = any($2::text[])
       and status <> 'orphaned'`,
    [walletAddress, signatures],
  );
  return new Set(rows.map((row) => row.signature));
}

/** What came to the user's own wallet; what strangers send to the wallets of his strategies is no deposit of his. */
export async function loadDeposits(
  sql: Sql,
  userId: string,
  page: { pageNo: number; pageSize: number },
): Promise<{ rows: MovementRow[]; total: number }> {
  const { walletId } = await loadPersonalWallet(sql, userId);
  const rows = await sql.query<MovementRow>(
    `select ${COLUMNS} from wallet_movement where user_id = $1 and wallet_id = $4 and amount > 0
     order by at desc, id limit $2 offset $3`,
    [userId, page.pageSize, (page.pageNo - 1) * page.pageSize, walletId],
  );
  const [count] = await sql.query<{ total: number }>(
    `select count(*)::int as total from wallet_movement where user_id = $1 and wallet_id = $2 and amount > 0`,
    [userId, walletId],
  );
  return { rows, total: count?.total ?? 0 };
}

/** Of the tokens that the market knows; SOL may be among those asked for. */
export type TokenSymbols = (assets: readonly Asset[]) => Promise<ReadonlyMap<string, string>>;

/** A token that is not known here is shown by its mint. */
export function symbolOf(asset: Asset, symbols: ReadonlyMap<string, string>): string {
  return asset === SOL ? SOL : (symbols.get(asset) ?? `${asset.slice(0, 4)}…${asset.slice(-4)}`);
}

export function depositView(row: MovementRow, symbols: ReadonlyMap<string, string>) {
  return {
    tokenContractAddress: row.asset === SOL ? null : row.asset,
    tokenSymbol: symbolOf(row.asset, symbols),
    amount: printDecimal(row.amount, row.decimals),
    status: row.status,
    txHash: row.signature,
  };
}
