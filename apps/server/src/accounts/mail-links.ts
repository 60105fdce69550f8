import { AppError } from '@hunter/contract/app-error';
import { createHash, randomBytes } from 'node:crypto';
import type { Sql } from '../platform/postgres.ts';

// Links in mails. Opening one only shows what it would do: mail programs fetch links by themselves. The token stands
// behind the # of the address, which browsers keep to themselves.

export type LinkPurpose = 'freeze' | 'cancel-withdrawal';
export type MailLink = { userId: string; purpose: LinkPurpose; reference: string };

const TOKEN_BYTES = 32;
const LIFETIME_DAYS = 30;

export async function createLink(sql: Sql, now: Date, link: MailLink): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  await sql.write(
    `insert into mail_link (token_hash, user_id, purpose, reference, expires_at)
     values ($1, $2, $3, $4, $5::timestamptz + make_interval(days => $6))`,
    [hashOf(token), link.userId, link.purpose, link.reference, now, LIFETIME_DAYS],
  );
  return token;
}

/** Throws LINK_INVALID for one that is unknown, used or too old. */
export async function readLink(sql: Sql, now: Date, token: string, purpose: LinkPurpose): Promise<MailLink> {
  const [link] = await sql.query<MailLink>(
    `select user_id as "userId", purpose, reference from mail_link
     where token_hash = $1 and used_at is null and expires_at > $2 and purpose = $3`,
    [hashOf(token), now, purpose],
  );
  return link ?? refuse();
}

/** Of two callers with one link the second is refused. */
export async function useLink(sql: Sql, now: Date, token: string, purpose: LinkPurpose): Promise<MailLink> {
  const [link] = await sql.write<MailLink>(
    `update mail_link set used_at = $2 where token_hash = $1 and used_at is null and expires_at > $2 and purpose = $3
     returning user_id as "userId", purpose, reference`,
    [hashOf(token), now, purpose],
  );
  return link ?? refuse();
}

export async function removeOldLinks(sql: Sql, now: Date): Promise<void> {
  await sql.write(`delete from mail_link where expires_at < $1`, [now]);
}

function refuse(): never {
  throw new AppError('LINK_INVALID');
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
