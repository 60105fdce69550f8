import { createHash } from 'node:crypto';
import { networkOf } from '../platform/network-of.ts';
import type { Sql } from '../platform/postgres.ts';

export type Device = { address: string; device: string };

/**
 * Network and browser together: an attacker elsewhere cannot pass for the owner's own device. The network and not the address, which
 * a computer changes every day under IPv6.
 */
export function deviceFingerprint(origin: Device): Buffer {
  return createHash('sha256')
    .update(`${networkOf(origin.address)}\n${origin.device}`)
    .digest();
}

/** Takes as long for an address without an account. */
export async function isKnownDevice(sql: Sql, userId: string | null, origin: Device): Promise<boolean> {
  const rows = await sql.query(`select 1 from known_device where user_id = $1 and fingerprint = $2`, [
    userId ?? '00000000-0000-0000-0000-000000000000',
    deviceFingerprint(origin),
  ]);
  return rows.length > 0;
}

/**
 * The devices a user is known by besides the one that logs in. Whoever has the password can invent any number of new ones: these make
 * room for each other, the youngest first, and never push out a device that was there before them. Of those known for a month, the
 * one not used for longest makes room, so that nobody is left with devices he no longer has.
 */
const NEW_FOR = `interval '30 days'`;
const NEW_MAX = 9;
const ESTABLISHED_MAX = 10;

export async function rememberDevice(sql: Sql, userId: string, origin: Device): Promise<void> {
  await sql.write(
    `with other as (
       select fingerprint, first_login_at, last_login_at, first_login_at > now() - ${NEW_FOR} as is_new
       from known_device where user_id = $1 and fingerprint <> $2
     ), forgotten as (
       delete from known_device where user_id = $1 and fingerprint in (
         (select fingerprint from other where is_new order by first_login_at offset $3)
         union all
         (select fingerprint from other where not is_new order by last_login_at desc offset $4))
     )
     insert into known_device (user_id, fingerprint) values ($1, $2)
     on conflict (user_id, fingerprint) do update set last_login_at = now()`,
    [userId, deviceFingerprint(origin), NEW_MAX, ESTABLISHED_MAX],
  );
}
