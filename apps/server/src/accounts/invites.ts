import { AppError } from '@hunter/contract/app-error';
import type { CallReply } from '@hunter/contract/calls';
import { randomInt } from 'node:crypto';
import type { Sql } from '../platform/postgres.ts';

/** Valid without a row and without a limit, in local mode only. */
export const LOCAL_INVITE_CODE = 'HUNTER';
export const INVITES_PER_USER = 3;

/** No letters and digits that look alike. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const CODE_LENGTH = 10;

export function generateInviteCode(): string {
  return Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

export async function createInvite(sql: Sql, invite: { ownerId: string | null; uses: number }): Promise<string> {
  const code = generateInviteCode();
  await sql.write(`insert into invite (code, owner_id, uses_total, uses_left) values ($1, $2, $3, $3)`, [
    code,
    invite.ownerId,
    invite.uses,
  ]);
  return code;
}

/** A first look that uses nothing up. */
export async function requireUsableInvite(sql: Sql, typed: string, local: boolean): Promise<void> {
  const code = typed.toUpperCase();
  if (local && code === LOCAL_INVITE_CODE) return;
  const rows = await sql.query(`select 1 from invite where code = $1 and uses_left > 0`, [code]);
  if (rows.length === 0) throw new AppError('WRONG_INVITE');
}

/** Counts one use in the caller's transaction; of two callers for the last use one is refused. */
export async function consumeInvite(sql: Sql, typed: string, userId: string, local: boolean): Promise<void> {
  const code = typed.toUpperCase();
  if (!(local && code === LOCAL_INVITE_CODE)) {
    const rows = await sql.write(
      `update invite set uses_left = uses_left - 1 where code = $1 and uses_left > 0 returning 1`,
      [code],
    );
    if (rows.length === 0) throw new AppError('WRONG_INVITE');
  }
  await sql.write(`insert into invite_use (user_id, code) values ($1, $2)`, [userId, code]);
}

/** With the names of those who came by them. */
export async function loadInvites(sql: Sql, ownerId: string): Promise<CallReply<'getMyInvites'>> {
  const invites = await sql.query<{ code: string; usesLeft: number; usesTotal: number }>(
    `select code, uses_left as "usesLeft", uses_total as "usesTotal" from invite
     where owner_id = $1 order by created_at, code`,
    [ownerId],
  );
  const uses = await sql.query<{ code: string; name: string; at: Date }>(
    `select i.code, u.display_name as name, i.used_at as at from invite_use i join users u on u.id = i.user_id
     where i.code = any($1) order by i.used_at`,
    [invites.map(({ code }) => code)],
  );
  const [inviter] = await sql.query<{ name: string }>(
    `select u.display_name as name from invite_use i join invite o on o.code = i.code join users u on u.id = o.owner_id
     where i.user_id = $1`,
    [ownerId],
  );
  return {
    lists: invites.map((invite) => ({
      ...invite,
      usedBy: uses.filter(({ code }) => code === invite.code).map(({ name, at }) => ({ name, time: at.getTime() })),
    })),
    invitedBy: inviter?.name ?? null,
  };
}
