import type { Sql } from './postgres.ts';

/** Every security-relevant event. The names are shown to users and never change their meaning. */
export type AuditEvent =
  | 'registered'
  | 'login'
  | 'login-failed'
  | 'logout'
  | 'session-revoked'
  | 'password-changed'
  | 'password-change-failed'
  | 'password-reset'
  | 'reset-undone'
  | 'account-frozen'
  | 'account-unfrozen'
  | 'address-saved'
  | 'address-removed'
  | 'limits-changed'
  | 'security-change-failed'
  | 'operator-read'
  | 'api-key-created'
  | 'api-key-revoked'
  | 'api-key-failed'
  | 'key-exported'
  | 'key-export-failed'
  | 'key-export-held'
  | 'key-export-canceled'
  | 'factor-enrolled'
  | 'factor-removed'
  | 'recovery-codes-renewed'
  | 'login-rule-changed'
  | 'recovery-started'
  | 'recovery-canceled'
  | 'factors-recovered'
  | 'withdrawal-requested'
  | 'withdrawal-refused'
  | 'withdrawal-cancelled'
  | 'withdrawal-sent'
  | 'external-outflow'
  | 'issuer-outflow'
  | 'settlement-proposed'
  | 'settlement-posted'
  | 'invite-created'
  | 'keys-rotated'
  | 'kill-switch'
  | 'wind-down'
  | 'signer-change';

export type AuditEntry = { userId: string | null; event: AuditEvent; address: string; detail?: string };

export const AUDIT_DETAIL_MAX = 500;

export async function recordAudit(sql: Sql, entry: AuditEntry): Promise<void> {
  await sql.write(`insert into audit_event (user_id, event, address, detail) values ($1, $2, $3, $4)`, [
    entry.userId,
    entry.event,
    entry.address,
    (entry.detail ?? '').slice(0, AUDIT_DETAIL_MAX),
  ]);
}

const PAGE_SIZE = 50;

export async function loadAuditPage(
  sql: Sql,
  userId: string,
  beforeId: bigint | null,
): Promise<{ lists: { time: number; event: string; address: string; detail: string }[]; nextCursor: string | null }> {
  const rows = await sql.query<{ id: bigint; at: Date; event: string; address: string; detail: string }>(
    `select id, at, event, address, detail from audit_event
     where user_id = $1 and ($2::bigint is null or id < $2) order by id desc limit $3`,
    [userId, beforeId, PAGE_SIZE + 1],
  );
  const shown = rows.slice(0, PAGE_SIZE);
  return {
    lists: shown.map((row) => ({
      time: row.at.getTime(),
      event: row.event,
      address: row.address,
      detail: row.detail,
    })),
    nextCursor: rows.length > PAGE_SIZE ? String(shown.at(-1)!.id) : null,
  };
}
