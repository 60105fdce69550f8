import type { Sql } from '../platform/postgres.ts';
import type { SealedWallet } from './wallet-keys.ts';

const COLUMNS = `user_id as "userId", id as "walletId", address, envelope as "sealedKey"`;

export async function loadWallet(sql: Sql, userId: string): Promise<SealedWallet> {
  const rows = await sql.query<SealedWallet>(`select ${COLUMNS} from wallet where user_id = $1`, [userId]);
  if (!rows[0]) throw new Error(`user ${userId} has no wallet`);
  return rows[0];
}

/** Without those who have no wallet. */
export function loadWalletAddresses(
  sql: Sql,
  userIds: readonly string[],
): Promise<{ userId: string; address: string }[]> {
  return sql.query(`select user_id as "userId", address from wallet where user_id = any($1::uuid[])`, [userIds]);
}

/** Locked until the caller's transaction ends, so that two changes of a password cannot overwrite each other. */
export async function lockWallet(sql: Sql, userId: string): Promise<SealedWallet> {
  const rows = await sql.query<SealedWallet>(`select ${COLUMNS} from wallet where user_id = $1 for update`, [userId]);
  if (!rows[0]) throw new Error(`user ${userId} has no wallet`);
  return rows[0];
}

export async function saveSealedKey(sql: Sql, walletId: string, sealedKey: string): Promise<void> {
  await sql.query(`update wallet set envelope = $2 where id = $1`, [walletId, sealedKey]);
}
