import { createHash } from 'node:crypto';
import type { Sql } from '../platform/postgres.ts';
import type { Origin } from './accounts.ts';

/** Network address and browser together: an attacker elsewhere cannot pass for the owner's own device. */
export function deviceFingerprint(origin: Origin): Buffer {
  return createHash('sha256').update(`${origin.address}\n${origin.device}`).digest();
}

export async function rememberDevice(sql: Sql, userId: string, origin: Origin): Promise<void> {
  await sql.query(
    `insert into known_device (user_id, fingerprint) values ($1, $2)
     on conflict (user_id, fingerprint) do update set last_login_at = now()`,
    [userId, deviceFingerprint(origin)],
  );
}
