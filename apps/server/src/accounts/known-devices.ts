import { createHash } from 'node:crypto';
import type { Sql } from '../platform/postgres.ts';
import type { Origin } from './accounts.ts';

/** Network address and browser together: an attacker elsewhere cannot pass for the owner's own device. */
export function deviceFingerprint(origin: Origin): Buffer {
  return createHash('sha256').update(`${origin.address}\n${origin.device}`).digest();
}

/** The devices a user is known by; the one not used for longest makes room. */
const DEVICES_MAX = 20;

export async function rememberDevice(sql: Sql, userId: string, origin: Origin): Promise<void> {
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
