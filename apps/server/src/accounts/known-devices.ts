import { createHash } from 'node:crypto';
import type { Sql } from '../platform/postgres.ts';

export type Device = { address: string; device: string };

/** Network address and browser together: an attacker elsewhere cannot pass for the owner's own device. */
export function deviceFingerprint(origin: Device): Buffer {
  return createHash('sha256').update(`${origin.address}\n${origin.device}`).digest();
}

/** Takes as long for an address without an account. */
export async function isKnownDevice(sql: Sql, userId: string | null, origin: Device): Promise<boolean> {
  const rows = await sql.query(`select 1 from known_device where user_id = $1 and fingerprint = $2`, [
    userId ?? '00000000-0000-0000-0000-000000000000',
    deviceFingerprint(origin),
  ]);
  return rows.length > 0;
}

/** The devices a user is known by; the one not used for longest makes room. */
const DEVICES_MAX = 20;

export async function rememberDevice(sql: Sql, userId: string, origin: Device): Promise<void> {
  await sql.query(
    `with forgotten as (
       delete from known_device where user_id = $1 and fingerprint in (
         select fingerprint from known_device where user_id = $1 and fingerprint <> $2
         order by last_login_at desc offset $3)
     )
     insert into known_device (user_id, fingerprint) values ($1, $2)
     on conflict (user_id, fingerprint) do update set last_login_at = now()`,
    [userId, deviceFingerprint(origin), DEVICES_MAX - 1],
  );
}
