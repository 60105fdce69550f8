import { emailKey } from '../accounts/email-key.ts';
import { removeOldLinks } from '../accounts/mail-links.ts';
import { Idempotency } from '../http/idempotency.ts';
import { Loop, type LoopOptions } from '../platform/loop.ts';
import { deliverOverSmtp, mailHandler, MAIL_TOPIC, type DeliverMail } from '../platform/mail.ts';
import { putIntoMailbox } from '../platform/mailbox.ts';
import { endingAfterDays } from '../platform/outbox.ts';
import type { Database } from '../platform/postgres.ts';
import { EQUITY_EVERY_MS, recordEquityPoints, thinEquityPoints } from '../portfolio/equity-points.ts';
import { keepRecord } from '../strategies/performance/keep-record.ts';
import { reserveLoop } from '../treasury/reserves/reserve-loop.ts';
import type { Areas } from './areas.ts';
import type { Base } from './base.ts';
import { startOutbox } from './outbox.ts';

/** Where several processes may share them. */
const RECONCILIATION_PARTS = 4;
const CLEAN_MS = 10 * 60_000;
const RECORD_MS = 15_000;

/** What is done from time to time and by nobody's request, each by one process at a time; and messages that leave. */
export async function startJobs(base: Base, areas: Areas): Promise<void> {
  const { rpc, sessions, secret, clock, log, ownership, stops } = base;
  const { accounts, alerts, channels, market, strategies, trading, treasury } = areas;
  const outbox = startOutbox(base, {
    [MAIL_TOPIC]: endingAfterDays(mailHandler(secret, await mailDeliveries(base))),
    ...alerts.topics,
    ...channels.topics,
  });
  const run = (name: string, make: (database: Database) => { start(): void; stop(): Promise<void> }) =>
    ownership.job(name, () => {
      const work = make(ownership.databaseOf(name));
      work.start();
      stops.push(() => work.stop());
    });
  const loop = (options: Pick<LoopOptions<void>, 'name' | 'work' | 'everyMs' | 'firstAfterMs'>) =>
    new Loop({ ...options, clock, log });
  const of = base.keeper ? RECONCILIATION_PARTS : 1;
  for (let index = 0; index < of; index += 1) {
    await run(`reconciliation-${index}`, (database) => trading.reconciliation(database, { index, of }));
  }
  // It reads everything in one snapshot, in which the lease could not be asked for; taken twice it does no harm.
  await run('reserves', () =>
    reserveLoop({ database: base.database, rpc, bookKey: treasury.reserveKey }, { clock, log }),
  );
  // Each message takes away or marks the rows it tells of, so that two processes for a moment tell nothing twice.
  await run('alerts', () => alerts);
  await run('message-channels', () => channels);
  await run('strategy-record', (database) =>
    loop({
      name: 'strategy record pass',
      work: () =>
        keepRecord({
          ...strategies,
          database,
          pricesAt: (mint, linked, atMs) => market.references.at(mint, linked, atMs),
        }),
      everyMs: RECORD_MS,
      firstAfterMs: RECORD_MS,
    }),
  );
  await run('equity-points', (database) =>
    loop({
      name: 'recording of equity points',
      work: () => recordEquityPoints({ ...trading, database }),
      everyMs: EQUITY_EVERY_MS / 5,
      firstAfterMs: EQUITY_EVERY_MS / 10,
    }),
  );
  await run('cleaning', (database) => {
    const idempotency = new Idempotency({ database, clock, secret });
    /** Not known to a process that starts: its first pass looks at everything. */
    let thinnedAtMs: number | null = null;
    return loop({
      name: 'removal of expired rows',
      work: async () => {
        await sessions.removeExpired();
        await accounts.codes.removeExpired();
        await accounts.throttles.account.removeOld();
        await removeOldLinks(database, new Date(clock.nowMs()));
        await idempotency.removeOld();
        await outbox.removeOld();
        await alerts.alerts.removeOld();
        const nowMs = clock.nowMs();
        await thinEquityPoints(database, nowMs, thinnedAtMs);
        thinnedAtMs = nowMs;
      },
      everyMs: CLEAN_MS,
      firstAfterMs: CLEAN_MS,
    });
  });
}

async function mailDeliveries({ config, database, stops }: Base): Promise<DeliverMail[]> {
  const deliveries: DeliverMail[] = [];
  if (config.local) deliveries.push((mail) => putIntoMailbox(database, emailKey(mail.to), mail));
  if (config.SMTP_URL) {
    const smtp = await deliverOverSmtp(config.SMTP_URL, config.MAIL_FROM);
    deliveries.push(smtp.deliver);
    stops.push(smtp.close);
  }
  return deliveries;
}
