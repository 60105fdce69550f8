import type { Address } from '@hunter/solana/address';
import type { Lamports } from '@hunter/domain/numbers/lamports';
import type { Sql } from '../platform/postgres.ts';
import { columnsOf } from '../platform/columns-of.ts';
import { loadBusyIntents } from '../sending/transaction-store.ts';

/** Which of these wallets have an account for a token that stays: a purchase beside its closing makes it anew. */
export async function loadTokenAccountOwners(
  sql: Sql,
  walletIds: readonly string[],
  mint: Address,
): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ walletId: string; address: Address }>(
    `select wallet_id as "walletId", address from token_account where wallet_id = any($1::uuid[]) and mint = $2`,
    [walletIds, mint],
  );
  const addresses = rows.map(({ address }) => address);
  const closing = await loadBusyIntents(sql, 'closing', addresses);
  return new Set(rows.flatMap(({ walletId, address }) => (closing.has(address) ? [] : [walletId])));
}

export type NewTokenAccount = {
  walletId: string;
  mint: Address;
  address: Address;
  tokenProgram: Address;
  /** Who paid for it. */
  bookId: string;
  rentLamports: Lamports;
};

/** One that exists again after it was closed replaces its row. */
export async function recordTokenAccounts(sql: Sql, accounts: readonly NewTokenAccount[]): Promise<void> {
  if (accounts.length === 0) return;
  await sql.write(
    `insert into token_account (wallet_id, mint, address, token_program, book_id, rent_lamports)
     select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::uuid[], $6::numeric[])
     on conflict (wallet_id, mint) do update set book_id = excluded.book_id, rent_lamports = excluded.rent_lamports`,
    columnsOf(accounts, 'walletId', 'mint', 'address', 'tokenProgram', 'bookId', 'rentLamports'),
  );
}

/** Token accounts belong to the wallet and stay; the claim on their deposits passes to another of its books. */
export async function reassignTokenAccounts(sql: Sql, fromBookId: string, toBookId: string): Promise<void> {
  await sql.write(`update token_account set book_id = $2 where book_id = $1`, [fromBookId, toBookId]);
}

export async function hasTokenAccount(sql: Sql, walletId: string, mint: Address): Promise<boolean> {
  return (await loadTokenAccountOwners(sql, [walletId], mint)).has(walletId);
}
