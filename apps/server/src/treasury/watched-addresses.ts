import type { Address } from '@hunter/solana/address';
import { loadWords, walletsOf, type PagedWallet } from '../ledger/wallet-pages.ts';
import type { WalletRange } from '../ledger/wallet-part.ts';
import type { Sql } from '../platform/postgres.ts';
import { columnsOf } from '../platform/columns-of.ts';

export type WatchedAddress = {
  address: Address;
  userId: string;
  walletId: string;
  walletAddress: Address;
  readUntilSignature: string | null;
};

const COLUMNS = `address, user_id as "userId", wallet_id as "walletId", wallet_address as "walletAddress",
  read_until_signature as "readUntilSignature"`;

/** Answers those that were not watched before. */
export async function addWatchedAddresses(
  sql: Sql,
  rows: readonly Omit<WatchedAddress, 'readUntilSignature'>[],
): Promise<WatchedAddress[]> {
  if (rows.length === 0) return [];
  return sql.write<WatchedAddress>(
    `insert into watched_address (address, user_id, wallet_id, wallet_address)
     select * from unnest($1::text[], $2::uuid[], $3::uuid[], $4::text[]) on conflict do nothing returning ${COLUMNS}`,
    columnsOf(rows, 'address', 'userId', 'walletId', 'walletAddress'),
  );
}

/** In pages by address, so that any number of wallets can be walked. */
export async function loadWatchedPage(
  sql: Sql,
  { from, until }: WalletRange,
  after: string,
  limit: number,
): Promise<WatchedAddress[]> {
  return sql.query<WatchedAddress>(
    `select ${COLUMNS} from watched_address
     where address > $1 and wallet_id >= $3 and ($4::uuid is null or wallet_id < $4) order by address limit $2`,
    [after, limit, from, until],
  );
}

export async function loadWatched(sql: Sql, address: string): Promise<WatchedAddress | null> {
  const rows = await sql.query<WatchedAddress>(`select ${COLUMNS} from watched_address where address = $1`, [address]);
  return rows[0] ?? null;
}

/** Wallets are watched from their registration; whatever a crash left out is added here. */
export async function addUnwatchedWallets(sql: Sql, { from, until }: WalletRange): Promise<void> {
  await sql.write(
    `insert into watched_address (address, user_id, wallet_id, wallet_address)
     select w.address, w.user_id, w.id, w.address from wallet w
     where w.id >= $1 and ($2::uuid is null or w.id < $2)
       and not exists (select 1 from watched_address a where a.address = w.address) on conflict do nothing`,
    [from, until],
  );
}

export async function saveReadUntil(sql: Sql, address: string, signature: string): Promise<void> {
  await sql.write(`update watched_address set read_until_signature = $2 where address = $1`, [address, signature]);
}

/** Every address besides their own in which the wallets from the first to the last id may hold something. */
export async function loadAccountsBetween(sql: Sql, firstId: string, lastId: string): Promise<PagedWallet[]> {
  const words = await loadWords(
    sql,
    `select string_agg(wallet_id || ' ' || address, ' ') as text from watched_address
     where wallet_id between $1 and $2 and address <> wallet_address`,
    [firstId, lastId],
  );
  return walletsOf(words);
}
