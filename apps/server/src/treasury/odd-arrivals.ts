import type { Address } from '@hunter/solana/address';
import type { Sql } from '../platform/postgres.ts';
import { columnsOf } from '../platform/columns-of.ts';
import type { ForeignAccount } from './movements-of-transaction.ts';

// What strangers can do to a wallet and what is not counted: token accounts that they handed over, and transactions that nobody here
// can read. Both are kept, so that the owner and the operator see them.

type Whose = { userId: string; walletId: string };

/** Beyond this many a wallet's foreign accounts are not listed: handing them over is cheap. */
const FOREIGN_MAX = 100;

export async function recordForeignAccounts(
  sql: Sql,
  { userId, walletId }: Whose,
  accounts: readonly (ForeignAccount & { signature: string })[],
): Promise<void> {
  if (accounts.length === 0) return;
  await sql.write(
    `insert into foreign_account (address, user_id, wallet_id, mint, decimals, amount, signature)
     select distinct on (v.address) v.address, $1, $2, v.mint, v.decimals, v.amount, v.signature
     from unnest($3::text[], $4::text[], $5::int[], $6::numeric[], $7::text[])
       with ordinality v (address, mint, decimals, amount, signature, place)
     where (select count(*) from foreign_account f where f.wallet_id = $2) < $8
     order by v.address, v.place desc
     on conflict (address) do update set amount = excluded.amount, signature = excluded.signature`,
    [userId, walletId, ...columnsOf(accounts, 'address', 'mint', 'decimals', 'amount', 'signature'), FOREIGN_MAX],
  );
}

export type ForeignAccountRow = { address: string; mint: Address; decimals: number; amount: bigint };

export function loadForeignAccounts(sql: Sql, userId: string): Promise<ForeignAccountRow[]> {
  return sql.query(
    `select address, mint, decimals, amount from foreign_account where user_id = $1 order by seen_at desc, address limit $2`,
    [userId, FOREIGN_MAX],
  );
}

/** Answers those that were not on record. */
export async function recordUnreadable(
  sql: Sql,
  { userId, walletId }: Whose,
  unreadable: ReadonlyMap<string, unknown>,
): Promise<string[]> {
  if (unreadable.size === 0) return [];
  const rows = await sql.write<{ signature: string }>(
    `insert into unreadable_transaction (signature, wallet_id, user_id, reason)
     select signature, $1, $2, reason from unnest($3::text[], $4::text[]) v (signature, reason) on conflict do nothing
     returning signature`,
    [walletId, userId, [...unreadable.keys()], [...unreadable.values()].map((error) => String(error).slice(0, 500))],
  );
  return rows.map(({ signature }) => signature);
}

export async function countUnreadable(sql: Sql): Promise<number> {
  const rows = await sql.query<{ count: number }>(`select count(*)::int as count from unreadable_transaction`);
  return rows[0]!.count;
}
