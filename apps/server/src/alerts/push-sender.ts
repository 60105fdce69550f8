import { alertPath } from '@hunter/contract/alert-path';
import { alertText } from '@hunter/contract/alert-text';
import type { AlertBody } from '@hunter/contract/calls/alerts';
import { isUrgent } from '@hunter/domain/alerts/alert-kind';
import { clipText } from '@hunter/domain/format/clip-text';
import { lookup as plainLookup } from 'node:dns';
import type { Log } from '../platform/log.ts';
import { enqueueAll } from '../platform/outbox.ts';
import { postOutside, type Lookup } from '../platform/post-outside.ts';
import type { Sql } from '../platform/postgres.ts';
import { publicLookup } from '../platform/public-address.ts';
import type { ServerSecret } from '../platform/server-secret.ts';
import { messageLines, messageTitle, type Language } from './alert-mail.ts';
import type { AlertSender } from './alerts.ts';
import type { PushSubscription } from './push-devices.ts';
import { isLoopback, pushUrl, type PushRule } from './push-endpoint.ts';
import type { PushKeys } from './push-keys.ts';

export const PUSH_TOPIC = 'alert-push';
/** What the service worker gets (`apps/web/src/service-worker/push-message.ts` reads it), and where it goes. */
export type PushMessage = { title: string; text: string; path: string };
/** Rows of earlier versions name no user. */
export type PushPayload = PushMessage & { userId?: string; device: string; urgent: boolean };

/** A push service keeps a message this long for a browser that is off. */
const TTL_SECONDS = 86_400;
/** A message has to fit into 4,096 bytes once it is encrypted; a character takes up to three in UTF-8, and up to six in JSON. */
const TITLE_MAX = 100;
const TEXT_MAX = 500;
/** The subscription is gone: the user has withdrawn it or the browser has dropped it. */
const GONE = [404, 410];

export function pushMessage(alerts: readonly AlertBody[], language: Language): PushMessage {
  const [first] = alerts;
  const only = alerts.length === 1 && first ? first : null;
  const text = only ? alertText(only, language).text : messageLines(alerts, language).join('\n');
  return {
    title: clipText(messageTitle(alerts, language), TITLE_MAX),
    text: clipText(text, TEXT_MAX),
    path: only ? alertPath(only) : '/account?tab=notifications',
  };
}

/** `recipientOf` belongs to the accounts; null for a user who is gone. */
export function pushSender(
  recipientOf: (sql: Sql, userId: string) => Promise<{ language: Language } | null>,
): AlertSender {
  return {
    reachable: async (sql, userIds) => {
      const rows = await sql.query<{ userId: string }>(
        `select distinct user_id as "userId" from push_device where user_id = any($1::uuid[])`,
        [userIds],
      );
      return new Set(rows.map(({ userId }) => userId));
    },
    enqueue: async (sql, userId, alerts) => {
      const user = await recipientOf(sql, userId);
      if (user === null) return;
      const devices = await sql.query<{ id: Buffer }>(`select id from push_device where user_id = $1`, [userId]);
      const message = pushMessage(alerts, user.language);
      const urgent = alerts.some(({ kind }) => isUrgent(kind));
      await enqueueAll(
        sql,
        PUSH_TOPIC,
        devices.map(
          ({ id }) => ({ ...message, userId, urgent, device: id.toString('base64url') }) satisfies PushPayload,
        ),
      );
    },
  };
}

export type PushDeps = {
  database: Sql;
  secret: ServerSecret;
  keys: PushKeys;
  rule: PushRule;
  /** Who a push service can turn to: a page or a mail address of the operator. */
  contact: string;
  log: Log;
};

/** The outbox handler of the topic. A message is encrypted for its one browser; the push service in between cannot read it. */
export function pushHandler({ database, secret, keys, rule, contact, log }: PushDeps) {
  return async ({ userId, device, urgent, ...message }: PushPayload): Promise<void> => {
    const id = Buffer.from(device, 'base64url');
    // Somebody else may be logged in there by now, who must not read it.
    const [row] = await database.query<{ sealed: string }>(
      `select sealed from push_device where id = $1 and ($2::uuid is null or user_id = $2)`,
      [id, userId ?? null],
    );
    if (!row) return;
    const subscription = JSON.parse(secret.open(row.sealed)) as PushSubscription;
    const url = pushUrl(subscription.endpoint, rule);
    // The list of push services may have become shorter since the device was added.
    if (url === null) return remove('its push service is not on the list');
    // Loaded with the first message: most starts send none.
    const { default: webPush } = await import('web-push');
    const { headers, body } = webPush.generateRequestDetails(subscription, JSON.stringify(message), {
      vapidDetails: { subject: contact, ...keys },
      TTL: TTL_SECONDS,
      urgency: urgent ? 'high' : 'normal',
    });
    const lookup = (rule.loopback && isLoopback(url) ? plainLookup : publicLookup) as Lookup;
    const { status, text } = await postOutside(url, { headers, body }, lookup);
    if (GONE.includes(status)) return remove('its subscription has ended');
    if (status < 200 || status > 299) throw new Error(`the push service ${url.host} answered ${status}: ${text}`);
    return undefined;

    async function remove(why: string): Promise<void> {
      await database.write(`delete from push_device where id = $1`, [id]);
      log.info({ device, host: url?.host }, `push device removed: ${why}`);
    }
  };
}
