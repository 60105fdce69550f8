import type { AlertBody } from '@hunter/contract/calls/alerts';
import { enqueueAll } from '../platform/outbox.ts';
import type { Sql } from '../platform/postgres.ts';

/** `reference` names the cause within its kind; the same cause again tells the same user nothing. */
export type NewAlert = { userId: string; reference: string; body: AlertBody };

/** New alerts: their owners are told on the stream, and the channels they chose get them. */
export const ALERTS_TOPIC = 'alerts-raised';
export type AlertsRaised = { ids: string[] };

const IDS_PER_ROW = 500;

/** Writes alerts in the caller's transaction, so that they stand or fall with what they tell. */
export async function raiseAlerts(sql: Sql, alerts: readonly NewAlert[]): Promise<void> {
  if (alerts.length === 0) return;
  const rows = await sql.write<{ id: bigint }>(
    `insert into alert (user_id, kind, reference, payload)
     select u, k, r, p::jsonb from unnest($1::uuid[], $2::text[], $3::text[], $4::text[]) v (u, k, r, p)
     on conflict on constraint alert_once do nothing returning id`,
    [
      alerts.map(({ userId }) => userId),
      alerts.map(({ body }) => body.kind),
      alerts.map(({ reference }) => reference),
      alerts.map(({ body }) => JSON.stringify(body)),
    ],
  );
  const ids = rows.map(({ id }) => id.toString());
  const payloads: AlertsRaised[] = [];
  for (let start = 0; start < ids.length; start += IDS_PER_ROW) {
    payloads.push({ ids: ids.slice(start, start + IDS_PER_ROW) });
  }
  await enqueueAll(sql, ALERTS_TOPIC, payloads);
}

/** Of one user and kind, with the day: that of the database in UTC. */
export async function countRaisedToday(
  sql: Sql,
  userId: string,
  kind: AlertBody['kind'],
): Promise<{ day: string; raised: number }> {
  const [row] = await sql.query<{ day: string; raised: number }>(
    `select to_char(now() at time zone 'utc', 'YYYY-MM-DD') as day, count(*)::int as raised from alert
     where user_id = $1 and kind = $2 and created_at >= date_trunc('day', now(), 'utc')`,
    [userId, kind],
  );
  return row!;
}
