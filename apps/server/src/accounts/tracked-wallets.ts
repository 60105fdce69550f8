import { AppError } from '@hunter/contract/app-error';
import type { Database, Sql } from '../platform/postgres.ts';

/** Wallets that a user watches, under names that nobody else is ever shown. */
export type TrackedWallet = { address: string; name: string; createdAt: Date };

export const TRACKED_WALLETS_MAX = 100;

export function loadTrackedWallets(sql: Sql, userId: string): Promise<TrackedWallet[]> {
  return sql.query<TrackedWallet>(
    `select address, name, created_at as "createdAt" from tracked_wallet where user_id = $1 order by created_at, address`,
    [userId],
  );
}

/** Null where the user does not track the wallet. */
export async function loadTrackedName(sql: Sql, userId: string, address: string): Promise<string | null> {
  const rows = await sql.query<{ name: string }>(
    `select name from tracked_wallet where user_id = $1 and address = $2`,
    [userId, address],
  );
  return rows[0]?.name ?? null;
}

export async function trackWallet(database: Database, userId: string, address: string, name: string): Promise<void> {
  await database.transaction(async (sql) => {
    // Two requests at once must not both see the last free place.
    await sql.query(`select 1 from users where id = $1 for update`, [userId]);
    const rows = await sql.query<{ others: number }>(
      `select count(*)::int as others from tracked_wallet where user_id = $1 and address <> $2`,
      [userId, address],
    );
    if (rows[0]!.others >= TRACKED_WALLETS_MAX) {
      throw new AppError('TRACKED_WALLETS_FULL', { most: TRACKED_WALLETS_MAX });
    }
    await sql.write(
      `insert into tracked_wallet (user_id, address, name) values ($1, $2, $3)
       on conflict (user_id, address) do update set name = excluded.name`,
      [userId, address, name],
    );
  });
}

export async function untrackWallet(sql: Sql, userId: string, address: string): Promise<void> {
  await sql.write(`delete from tracked_wallet where user_id = $1 and address = $2`, [userId, address]);
}
