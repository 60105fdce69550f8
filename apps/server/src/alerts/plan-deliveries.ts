import { dueAtMs, type DeliveryState } from '@hunter/domain/alerts/alert-digest';
import { ALERT_CHANNELS, isChosen, type AlertKind, type OutsideChannel } from '@hunter/domain/alerts/alert-kind';
import type { Sql } from '../platform/postgres.ts';
import { columnsOf } from '../platform/columns-of.ts';
import type { Choices } from './alert-store.ts';

export const OUTSIDE_CHANNELS: readonly OutsideChannel[] = ALERT_CHANNELS.filter((channel) => channel !== 'app');

type Planned = { id: bigint; userId: string; kind: AlertKind };

/** Writes when each of these alerts leaves on each channel that its owner chose and has. A repeated call changes nothing. */
export async function planDeliveries(
  sql: Sql,
  alerts: readonly Planned[],
  choices: ReadonlyMap<string, Choices>,
  reachable: ReadonlyMap<string, ReadonlySet<OutsideChannel>>,
  nowMs: number,
): Promise<void> {
  const wanted = alerts.flatMap((alert) =>
    OUTSIDE_CHANNELS.filter(
      (channel) =>
        isChosen(alert.kind, channel) &&
        choices.get(alert.userId)!.get(alert.kind)!.includes(channel) &&
        reachable.get(alert.userId)?.has(channel),
    ).map((channel) => ({ ...alert, channel })),
  );
  if (wanted.length === 0) return;
  const states = await loadStates(sql, [...new Set(wanted.map(({ userId }) => userId))]);
  const rows = wanted.map(({ id, userId, kind, channel }) => {
    const key = `${userId} ${channel}`;
    const state = states.get(key) ?? { lastSentMs: null, waitingUntilMs: null };
    const dueMs = dueAtMs(kind, channel, state, nowMs);
    states.set(key, { ...state, waitingUntilMs: Math.min(dueMs, state.waitingUntilMs ?? dueMs) });
    return { id, userId, channel, dueAt: new Date(dueMs) };
  });
  await sql.write(
    `insert into alert_delivery (alert_id, channel, user_id, due_at)
     select * from unnest($1::bigint[], $2::text[], $3::uuid[], $4::timestamptz[]) on conflict do nothing`,
    columnsOf(rows, 'id', 'channel', 'userId', 'dueAt'),
  );
}

/** By user and channel. */
async function loadStates(sql: Sql, userIds: readonly string[]): Promise<Map<string, DeliveryState>> {
  const rows = await sql.query<{ userId: string; channel: string; lastSent: Date | null; waiting: Date | null }>(
    `select user_id as "userId", channel, max(sent_at) as "lastSent", min(due_at) filter (where sent_at is null) as waiting
     from alert_delivery where user_id = any($1::uuid[]) group by user_id, channel`,
    [userIds],
  );
  return new Map(
    rows.map(({ userId, channel, lastSent, waiting }) => [
      `${userId} ${channel}`,
      { lastSentMs: lastSent?.getTime() ?? null, waitingUntilMs: waiting?.getTime() ?? null },
    ]),
  );
}
