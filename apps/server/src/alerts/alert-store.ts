import { alertBody, type AlertBody } from '@hunter/contract/calls/alerts';
import type { CallReply } from '@hunter/contract/calls';
import { ALERT_KINDS, defaultChannels, type AlertChannel, type AlertKind } from '@hunter/domain/alerts/alert-kind';
import type { Sql } from '../platform/postgres.ts';

export type AlertRow = { id: bigint; userId: string; createdAt: Date; readAt: Date | null; payload: unknown };
export type StoredAlert = CallReply<'getMyAlerts'>['lists'][number];

const COLUMNS = `id, user_id as "userId", created_at as "createdAt", read_at as "readAt", payload`;
const PAGE = 30;
/** Older ones are removed. */
const KEPT_DAYS = 90;

/** Null for one that a later version no longer knows how to read. */
export function bodyOf({ payload }: Pick<AlertRow, 'payload'>): AlertBody | null {
  const read = alertBody.safeParse(payload);
  return read.success ? read.data : null;
}

export function viewAlert(row: AlertRow): StoredAlert | null {
  const body = bodyOf(row);
  return body && { id: row.id.toString(), time: row.createdAt.getTime(), read: row.readAt !== null, body };
}

/** The kinds that the user wants in the bell, newest first. */
export async function loadAlerts(sql: Sql, userId: string, beforeId: bigint | null): Promise<CallReply<'getMyAlerts'>> {
  const kinds = await loadAppKinds(sql, userId);
  const rows = await sql.query<AlertRow>(
    `select ${COLUMNS} from alert where user_id = $1 and kind = any($2::text[]) and ($3::bigint is null or id < $3)
     order by id desc limit $4`,
    [userId, kinds, beforeId, PAGE + 1],
  );
  const shown = rows.slice(0, PAGE);
  return {
    lists: shown.flatMap((row) => viewAlert(row) ?? []),
    nextCursor: rows.length > PAGE ? String(shown.at(-1)!.id) : null,
    unread: await countUnread(sql, userId, kinds),
  };
}

export function loadAlertsById(sql: Sql, ids: readonly bigint[]): Promise<AlertRow[]> {
  return sql.query<AlertRow>(`select ${COLUMNS} from alert where id = any($1::bigint[]) order by id`, [ids]);
}

export async function markRead(sql: Sql, userId: string, upTo: bigint): Promise<{ unread: number }> {
  await sql.write(`update alert set read_at = now() where user_id = $1 and id <= $2 and read_at is null`, [
    userId,
    upTo,
  ]);
  return { unread: await countUnread(sql, userId, await loadAppKinds(sql, userId)) };
}

export async function countUnread(sql: Sql, userId: string, kinds: readonly AlertKind[]): Promise<number> {
  const rows = await sql.query<{ count: number }>(
    `select count(*)::int as count from alert where user_id = $1 and read_at is null and kind = any($2::text[])`,
    [userId, kinds],
  );
  return rows[0]!.count;
}

export type Choices = ReadonlyMap<AlertKind, readonly AlertChannel[]>;

/** Every kind is in the answer of every user. */
export async function loadChoices(sql: Sql, userIds: readonly string[]): Promise<ReadonlyMap<string, Choices>> {
  const rows = await sql.query<{ userId: string; kind: AlertKind; channels: AlertChannel[] }>(
    `select user_id as "userId", kind, channels from alert_choice where user_id = any($1::uuid[])`,
    [userIds],
  );
  return new Map(
    userIds.map((userId) => {
      const chosen = new Map(rows.filter((row) => row.userId === userId).map((row) => [row.kind, row.channels]));
      return [userId, new Map(ALERT_KINDS.map((kind) => [kind, chosen.get(kind) ?? defaultChannels(kind)]))];
    }),
  );
}

export async function saveChoice(
  sql: Sql,
  userId: string,
  kind: AlertKind,
  channels: readonly AlertChannel[],
): Promise<void> {
  await sql.write(
    `insert into alert_choice (user_id, kind, channels) values ($1, $2, $3)
     on conflict (user_id, kind) do update set channels = excluded.channels`,
    [userId, kind, [...new Set(channels)]],
  );
}

export function appKinds(choices: Choices): AlertKind[] {
  return ALERT_KINDS.filter((kind) => choices.get(kind)!.includes('app'));
}

async function loadAppKinds(sql: Sql, userId: string): Promise<AlertKind[]> {
  return appKinds((await loadChoices(sql, [userId])).get(userId)!);
}

/** Who chose to be told of a kind that nobody is told of by default. */
export async function loadSubscribers(sql: Sql, kind: AlertKind): Promise<string[]> {
  const rows = await sql.query<{ userId: string }>(
    `select user_id as "userId" from alert_choice where kind = $1 and channels <> '{}'`,
    [kind],
  );
  return rows.map(({ userId }) => userId);
}

export async function removeOldAlerts(sql: Sql, now: Date): Promise<void> {
  await sql.write(`delete from alert where created_at < $1::timestamptz - make_interval(days => $2)`, [now, KEPT_DAYS]);
}
