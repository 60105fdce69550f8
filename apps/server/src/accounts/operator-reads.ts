import { loadAuditPage, recordAudit } from '../platform/audit.ts';
import type { Sql } from '../platform/postgres.ts';
import { recordAlert } from './alerts.ts';
import { emailKey } from './email-key.ts';

/** What an operator may see of an account: nothing that would let him be the user, or know who he is. */
export type MaskedUser = {
  userId: string;
  email: string;
  createdAt: Date;
  language: string;
  frozenAt: Date | null;
  passwordResetAt: Date | null;
  sessions: { address: string; device: string; lastSeenAt: Date }[];
  recentEvents: { time: number; event: string }[];
};

/** The only way for an operator to a user's data: it is on record and told to the user before anything is shown. */
export async function readUserAsOperator(
  sql: Sql,
  request: { email: string; operator: string; reason: string },
): Promise<MaskedUser | null> {
  const { operator, reason } = request;
  const [user] = await sql.query<Omit<MaskedUser, 'sessions' | 'recentEvents'>>(
    `select id as "userId", email, created_at as "createdAt", language, frozen_at as "frozenAt",
            password_reset_at as "passwordResetAt" from users where email_key = $1`,
    [emailKey(request.email)],
  );
  if (!user) return null;
  const { userId } = user;
  await sql.write(`insert into operator_read (user_id, operator, reason) values ($1, $2, $3)`, [
    userId,
    operator,
    reason,
  ]);
  await recordAlert(sql, userId, { kind: 'operator-read', operator, reason });
  await recordAudit(sql, { userId, event: 'operator-read', address: 'operator', detail: `${operator}: ${reason}` });
  const sessions = await sql.query<MaskedUser['sessions'][number]>(
    `select address, device, last_seen_at as "lastSeenAt" from session where user_id = $1
     order by last_seen_at desc limit 20`,
    [userId],
  );
  return {
    ...user,
    email: maskEmail(user.email),
    sessions: sessions.map((session) => ({ ...session, address: maskAddress(session.address) })),
    recentEvents: (await loadAuditPage(sql, userId, null)).lists
      .slice(0, 10)
      .map(({ time, event }) => ({ time, event })),
  };
}

export type OperatorRead = { operator: string; reason: string; time: number };

/** Newest first. */
export async function loadOperatorReads(sql: Sql, userId: string): Promise<OperatorRead[]> {
  const rows = await sql.query<{ operator: string; reason: string; at: Date }>(
    `select operator, reason, at from operator_read where user_id = $1 order by id desc limit 100`,
    [userId],
  );
  return rows.map(({ at, ...row }) => ({ ...row, time: at.getTime() }));
}

/** `a***@e***.com`: enough to tell that it is the right account, not enough to write to it. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1);
  const dot = domain.lastIndexOf('.');
  return `${email.slice(0, 1)}***@${domain.slice(0, 1)}***${domain.slice(dot)}`;
}

/** Without its last two parts of an IPv4 address, or the last six of an IPv6 one. */
export function maskAddress(address: string): string {
  if (address.includes(':')) return `${address.split(':').slice(0, 2).join(':')}:…`;
  const parts = address.split('.');
  return parts.length === 4 ? `${parts.slice(0, 2).join('.')}.…` : '…';
}
