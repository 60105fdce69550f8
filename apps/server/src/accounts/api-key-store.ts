import { lamports } from '@hunter/domain/numbers/lamports';
import { createHash, randomBytes } from 'node:crypto';
import type { Sql } from '../platform/postgres.ts';
import { rowValues } from '../platform/columns-of.ts';

// A key is looked up on every request and never kept in memory, so that a revoked one is dead at once in every process.

export type KeyScope = 'read' | 'trade';

export type ApiKey = {
  id: string;
  userId: string;
  scope: KeyScope;
  requestsPerSecond: number;
  dailyLamports: bigint | null;
  addresses: readonly string[];
};

export type ApiKeyRow = ApiKey & {
  name: string;
  hint: string;
  createdAt: Date;
  expiresAt: Date;
  lastUsedAt: Date | null;
  lastUsedFrom: string;
  spentTodayLamports: bigint;
};

const PREFIX = 'hk_';
const SECRET_BYTES = 32;
const HINT_LENGTH = 4;
/** How often a key's last use is written down. */
const USE_SECONDS = 60;
const KEPT_AFTER_EXPIRY_DAYS = 30;

export function newKey(): { key: string; hash: Buffer; hint: string } {
  const key = PREFIX + randomBytes(SECRET_BYTES).toString('base64url');
  return { key, hash: hashKey(key), hint: key.slice(-HINT_LENGTH) };
}

function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** Null where it is unknown, revoked or expired, or its account is frozen. */
export async function findApiKey(sql: Sql, now: Date, key: string): Promise<ApiKey | null> {
  if (!key.startsWith(PREFIX)) return null;
  const [row] = await sql.query<ApiKey>(
    `select k.id, k.user_id as "userId", k.scope, k.requests_per_second as "requestsPerSecond",
       k.daily_lamports as "dailyLamports", k.addresses
     from api_key k join users u on u.id = k.user_id
     where k.secret_hash = $1 and k.expires_at > $2 and u.frozen_at is null`,
    [hashKey(key), now],
  );
  return row ?? null;
}

export async function recordUse(sql: Sql, now: Date, id: string, address: string): Promise<void> {
  await sql.write(
    `update api_key set last_used_at = $2, last_used_from = $3
     where id = $1 and (last_used_at is null or last_used_at < $2::timestamptz - make_interval(secs => $4)
       or last_used_from <> $3)`,
    [id, now, address, USE_SECONDS],
  );
}

export function listApiKeys(sql: Sql, now: Date, userId: string): Promise<ApiKeyRow[]> {
  return sql.query<ApiKeyRow>(
    `select id, user_id as "userId", name, hint, scope, requests_per_second as "requestsPerSecond",
       daily_lamports as "dailyLamports", addresses, created_at as "createdAt", expires_at as "expiresAt",
       last_used_at as "lastUsedAt", last_used_from as "lastUsedFrom",
       case when spent_day = ($2::timestamptz at time zone 'UTC')::date then spent_lamports else 0 end as "spentTodayLamports"
     from api_key where user_id = $1 order by created_at desc, id`,
    [userId, now],
  );
}

/** How many keys of the user are not expired. Waits for another creation of the same user, and for whoever ends his sessions. */
export async function countLiveKeys(sql: Sql, now: Date, userId: string): Promise<number> {
  await sql.query(`select 1 from users where id = $1 for update`, [userId]);
  await sql.write(
    `delete from api_key where user_id = $1 and expires_at < $2::timestamptz - make_interval(days => $3)`,
    [userId, now, KEPT_AFTER_EXPIRY_DAYS],
  );
  const [row] = await sql.query<{ live: number }>(
    `select count(*)::int as live from api_key where user_id = $1 and expires_at > $2`,
    [userId, now],
  );
  return row!.live;
}

export async function insertApiKey(
  sql: Sql,
  key: ApiKey & { name: string; hint: string; hash: Buffer; createdAt: Date; days: number },
): Promise<void> {
  await sql.write(
    `insert into api_key (id, user_id, name, secret_hash, hint, scope, requests_per_second, daily_lamports, addresses,
       created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $10::timestamptz + make_interval(days => $11))`,
    [
      ...rowValues(key, 'id', 'userId', 'name', 'hash', 'hint', 'scope', 'requestsPerSecond', 'dailyLamports'),
      ...rowValues(key, 'addresses', 'createdAt', 'days'),
    ],
  );
}

/** Its name; null where the user has no such key, and another user's looks the same. */
export async function deleteApiKey(sql: Sql, userId: string, id: string): Promise<string | null> {
  const [row] = await sql.write<{ name: string }>(`delete from api_key where user_id = $1 and id = $2 returning name`, [
    userId,
    id,
  ]);
  return row?.name ?? null;
}

export async function deleteAllApiKeys(sql: Sql, userId: string): Promise<void> {
  await sql.write(`delete from api_key where user_id = $1`, [userId]);
}

/** False where the day's limit would be passed, or the key is gone. */
export async function reserveSpend(sql: Sql, now: Date, id: string, amount: bigint): Promise<boolean> {
  const rows = await sql.write(
    `update api_key set spent_day = ($2::timestamptz at time zone 'UTC')::date,
       spent_lamports = $3::numeric + case when spent_day = ($2::timestamptz at time zone 'UTC')::date then spent_lamports else 0 end
     where id = $1 and daily_lamports >=
       $3::numeric + case when spent_day = ($2::timestamptz at time zone 'UTC')::date then spent_lamports else 0 end
     returning 1`,
    // Many orders together may ask for more than there is.
    [id, now, amount],
  );
  return rows.length > 0;
}

/** For a request that was refused: nothing was spent. */
export async function returnSpend(sql: Sql, now: Date, id: string, amount: bigint): Promise<void> {
  await sql.write(
    `update api_key set spent_lamports = greatest(0, spent_lamports - $3::numeric)
     where id = $1 and spent_day = ($2::timestamptz at time zone 'UTC')::date`,
    [id, now, lamports(amount)],
  );
}
