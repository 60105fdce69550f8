import type { Sql } from '../platform/postgres.ts';
import type { SecurityEvent } from './security-event.ts';

const PAGE_SIZE = 30;

export type Alert = { id: string; kind: string; payload: Record<string, unknown>; time: number; read: boolean };

export async function recordAlert(sql: Sql, userId: string, { kind, ...payload }: SecurityEvent): Promise<void> {
  await sql.query(`insert into alert (user_id, kind, payload) values ($1, $2, $3)`, [
    userId,
    kind,
    JSON.stringify(payload),
  ]);
}

/** Newest first. */
export async function loadAlertPage(
  sql: Sql,
  userId: string,
  beforeId: bigint | null,
): Promise<{ lists: Alert[]; nextCursor: string | null }> {
  const rows = await sql.query<{ id: bigint; kind: string; payload: Record<string, unknown>; at: Date; read: boolean }>(
    `select id, kind, payload, created_at as at, read_at is not null as read from alert
     where user_id = $1 and ($2::bigint is null or id < $2) order by id desc limit $3`,
    [userId, beforeId, PAGE_SIZE + 1],
  );
  const shown = rows.slice(0, PAGE_SIZE);
  return {
    lists: shown.map(({ id, at, ...row }) => ({ ...row, id: String(id), time: at.getTime() })),
    nextCursor: rows.length > PAGE_SIZE ? String(shown.at(-1)!.id) : null,
  };
}

export async function markAlertsRead(sql: Sql, userId: string, upToId: bigint): Promise<void> {
  await sql.query(`update alert set read_at = now() where user_id = $1 and id <= $2 and read_at is null`, [
    userId,
    upToId,
  ]);
}
