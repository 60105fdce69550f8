// The life of an alert: an area writes it with what it tells → the outbox brings it here → its owner hears it on the stream, and a
// delivery is planned for each channel he chose → when one is due, everything that waits for him on that channel becomes one
// message, marked as sent in the transaction that writes the message to the outbox.

import type { AlertBody } from '@hunter/contract/calls/alerts';
import type { OutsideChannel } from '@hunter/domain/alerts/alert-kind';
import type { Clock } from '../platform/clock.ts';
import { Coalescer } from '../platform/coalescer.ts';
import type { LiveBus } from '../platform/live-bus.ts';
import type { Log } from '../platform/log.ts';
import { Loop } from '../platform/loop.ts';
import type { Database, Sql } from '../platform/postgres.ts';
import {
  appKinds,
  bodyOf,
  countUnread,
  loadAlertsById,
  loadChoices,
  removeOldAlerts,
  viewAlert,
} from './alert-store.ts';
import { OUTSIDE_CHANNELS, planDeliveries } from './plan-deliveries.ts';
import type { AlertsRaised } from './raise-alerts.ts';

/** A way out of the product. */
export type AlertSender = {
  /** Which of these users it can reach. */
  reachable: (sql: Sql, userIds: readonly string[]) => Promise<ReadonlySet<string>>;
  /** Writes one message to the outbox, in the given transaction. */
  enqueue: (sql: Sql, userId: string, alerts: readonly AlertBody[]) => Promise<void>;
};
export type AlertSenders = Readonly<Partial<Record<OutsideChannel, AlertSender>>>;

export type AlertDeps = { database: Database; bus: LiveBus; senders: AlertSenders; clock: Clock; log: Log };

const POLL_MS = 5_000;
const GROUPS_PER_PASS = 50;
/** As many as the outbox hands out at once. */
const RAISED_BATCH_MAX = 20;

export class Alerts {
  readonly #deps: AlertDeps;
  readonly #sending: Loop<number>;
  readonly #raised: Coalescer<AlertsRaised, void>;

  constructor(deps: AlertDeps) {
    this.#deps = deps;
    const { clock, log } = deps;
    this.#raised = new Coalescer((raised) => this.#takeRaised(raised), { batchMax: RAISED_BATCH_MAX, parallelMax: 1 });
    this.#sending = new Loop({
      name: 'sending of alerts',
      work: () => this.sendDue(),
      everyMs: (sent) => (sent < GROUPS_PER_PASS ? POLL_MS : 0),
      firstAfterMs: POLL_MS,
      clock,
      log,
    });
  }

  start(): void {
    this.#sending.start();
  }

  stop(): Promise<void> {
    return this.#sending.stop();
  }

  removeOld(): Promise<void> {
    return removeOldAlerts(this.#deps.database, new Date(this.#deps.clock.nowMs()));
  }

  /** Outbox `alerts-raised`. At least once: a repeated one plans nothing twice. */
  onRaised(raised: AlertsRaised): Promise<void> {
    return this.#raised.submit(raised);
  }

  async #takeRaised(raised: readonly AlertsRaised[]): Promise<void[]> {
    const { database, bus, clock } = this.#deps;
    const rows = await loadAlertsById(
      database,
      raised.flatMap(({ ids }) => ids.map(BigInt)),
    );
    const userIds = [...new Set(rows.map(({ userId }) => userId))];
    const choices = await loadChoices(database, userIds);
    const known = rows.flatMap((row) => {
      const body = bodyOf(row);
      return body ? [{ id: row.id, userId: row.userId, kind: body.kind }] : [];
    });
    await planDeliveries(database, known, choices, await this.reachable(userIds), clock.nowMs());
    for (const userId of userIds) {
      if (!bus.isFollowed('alerts', userId)) continue;
      const kinds = appKinds(choices.get(userId)!);
      const shown = rows.flatMap((row) => (row.userId === userId ? (viewAlert(row) ?? []) : []));
      const told = shown.filter(({ body }) => kinds.includes(body.kind));
      if (told.length === 0) continue;
      const unread = await countUnread(database, userId, kinds);
      for (const alert of told) bus.publish('alerts', userId, { alert, unread });
    }
    this.#sending.wake();
    return raised.map(() => undefined);
  }

  async reachable(userIds: readonly string[]): Promise<Map<string, Set<OutsideChannel>>> {
    const { database, senders } = this.#deps;
    const found = new Map(userIds.map((userId) => [userId, new Set<OutsideChannel>()]));
    for (const channel of OUTSIDE_CHANNELS) {
      const reached = await senders[channel]?.reachable(database, userIds);
      for (const userId of reached ?? []) found.get(userId)?.add(channel);
    }
    return found;
  }

  /** Answers how many messages were written. One that cannot be written does not keep those of other people. */
  async sendDue(): Promise<number> {
    const { database, clock, log } = this.#deps;
    const groups = await database.query<{ userId: string; channel: OutsideChannel }>(
      `select user_id as "userId", channel from alert_delivery where sent_at is null and due_at <= $1
       group by user_id, channel order by min(due_at) limit $2`,
      [new Date(clock.nowMs()), GROUPS_PER_PASS],
    );
    let written = 0;
    for (const { userId, channel } of groups) {
      try {
        await this.#send(userId, channel);
        written += 1;
      } catch (error) {
        log.error({ userId, channel, err: error }, 'writing a message of alerts failed; retrying with the next pass');
      }
    }
    return written;
  }

  /** Takes everything that waits along, so that what would be due a moment later is part of the same message. */
  async #send(userId: string, channel: OutsideChannel): Promise<void> {
    const { database, senders, clock } = this.#deps;
    await database.transaction(async (sql) => {
      const taken = await sql.write<{ id: bigint }>(
        `update alert_delivery set sent_at = $3 where user_id = $1 and channel = $2 and sent_at is null
         returning alert_id as id`,
        [userId, channel, new Date(clock.nowMs())],
      );
      const rows = await loadAlertsById(
        sql,
        taken.map(({ id }) => id),
      );
      const bodies = rows.flatMap((row) => bodyOf(row) ?? []);
      // Nobody else may have come first, and the channel may be gone since it was planned.
      const reached = await senders[channel]?.reachable(sql, [userId]);
      if (bodies.length > 0 && reached?.has(userId)) await senders[channel]!.enqueue(sql, userId, bodies);
    });
  }
}
