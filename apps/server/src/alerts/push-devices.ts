import { AppError } from '@hunter/contract/app-error';
import type { CallParsedRequest } from '@hunter/contract/calls';
import { createHash } from 'node:crypto';
import type { Database, Sql } from '../platform/postgres.ts';
import type { ServerSecret } from '../platform/server-secret.ts';
import { pushUrl, type PushRule } from './push-endpoint.ts';
import { raiseAlerts } from './raise-alerts.ts';

/** The one not added for longest makes room. */
const DEVICES_MAX = 10;

/** As browsers name it. */
export type PushSubscription = { endpoint: string; keys: { p256dh: string; auth: string } };
export type PushDevice = { id: string; name: string; createdAt: number };

export async function addPushDevice(
  deps: { database: Database; secret: ServerSecret; rule: PushRule },
  owner: { userId: string; sessionId: string; name: string },
  { endpoint, p256dh, auth }: CallParsedRequest<'addPushDevice'>,
): Promise<{ id: string }> {
  if (pushUrl(endpoint, deps.rule) === null) {
    throw new AppError('INVALID_INPUT', { field: 'endpoint', reason: 'choice' });
  }
  const id = createHash('sha256').update(endpoint).digest();
  const sealed = deps.secret.seal(JSON.stringify({ endpoint, keys: { p256dh, auth } } satisfies PushSubscription));
  await deps.database.transaction(async (sql) => {
    // The browser is one device, whoever is logged in there now.
    const [added] = await sql.write<{ isNew: boolean }>(
      `insert into push_device (id, user_id, session_id, sealed, name) values ($1, $2, $3, $4, $5)
       on conflict (id) do update set user_id = excluded.user_id, session_id = excluded.session_id, sealed = excluded.sealed,
         name = excluded.name,
         created_at = case when push_device.user_id = excluded.user_id then push_device.created_at else excluded.created_at end
       returning old.user_id is distinct from new.user_id as "isNew"`,
      [id, owner.userId, owner.sessionId, sealed, owner.name],
    );
    await sql.write(
      `delete from push_device where id in (
         select id from push_device where user_id = $1 order by created_at desc, id offset $2)`,
      [owner.userId, DEVICES_MAX],
    );
    if (!added!.isNew) return;
    const body = { kind: 'security' as const, event: 'push-added', detail: owner.name };
    await raiseAlerts(sql, [
      { userId: owner.userId, reference: `push:${id.toString('base64url')}:${owner.sessionId}`, body },
    ]);
  });
  return { id: id.toString('base64url') };
}

/** Another user's, and one that is gone already, answer the same. */
export async function removePushDevice(sql: Sql, userId: string, id: string): Promise<void> {
  await sql.write(`delete from push_device where id = $1 and user_id = $2`, [Buffer.from(id, 'base64url'), userId]);
}

export async function loadPushDevices(sql: Sql, userId: string): Promise<PushDevice[]> {
  const rows = await sql.query<{ id: Buffer; name: string; createdAt: Date }>(
    `select id, name, created_at as "createdAt" from push_device where user_id = $1 order by created_at desc, id`,
    [userId],
  );
  return rows.map(({ id, name, createdAt }) => ({
    id: id.toString('base64url'),
    name,
    createdAt: createdAt.getTime(),
  }));
}
