import { OutboxWorker, type OutboxHandler } from '../platform/outbox.ts';
import type { Base } from './base.ts';

/** Carries out what leaves the database, as far as it is this role's. */
export function startOutbox(
  { database, clock, log, keeper, processes, stops, outboxPollMs }: Base,
  handlers: Record<string, OutboxHandler>,
): OutboxWorker {
  const outbox = new OutboxWorker({
    database,
    clock,
    log,
    handlers,
    ...(keeper ? { bus: processes } : {}),
    ...(outboxPollMs === undefined ? {} : { pollMs: outboxPollMs }),
  });
  outbox.start();
  stops.push(() => outbox.stop());
  return outbox;
}
