import { address } from '@hunter/solana/address';
import { emailKey } from '../accounts/email-key.ts';
import { ACCOUNT_FROZEN_TOPIC, type AccountFrozen } from '../accounts/freeze.ts';
import { removeOldLinks } from '../accounts/mail-links.ts';
import { Idempotency } from '../http/idempotency.ts';
import { WALLET_CREATED_TOPIC, type WalletCreated } from '../ledger/wallets.ts';
import { Loop, type LoopOptions } from '../platform/loop.ts';
import { deliverOverSmtp, mailHandler, MAIL_TOPIC, type DeliverMail } from '../platform/mail.ts';
import { putIntoMailbox } from '../platform/mailbox.ts';
import { OutboxWorker, type OutboxHandler } from '../platform/outbox.ts';
import { EQUITY_EVERY_MS, recordEquityPoints, thinEquityPoints } from '../portfolio/equity-points.ts';
import { onFills, onFillsUndone } from '../strategies/copying/on-fills.ts';
import { onTransferSettled } from '../strategies/on-transfer-settled.ts';
import { keepRecord } from '../strategies/performance/keep-record.ts';
import { FILLS_TOPIC, UNDONE_TOPIC, type FillsRecorded, type FillsUndone } from '../trading/order-events.ts';
import { reserveLoop } from '../treasury/reserves/reserve-loop.ts';
import {
  COMMITS_FINAL_TOPIC,
  TRANSFER_SETTLED_TOPIC,
  type CommitsFinal,
  type TransferSettled,
} from '../treasury/transfers/transfer.ts';
import type { Areas } from './areas.ts';
import type { Base } from './base.ts';

const CLEAN_MS = 10 * 60_000;
const RECORD_MS = 15_000;

/** Carries out what leaves the database. */
export function startOutbox(base: Base, areas: Areas): OutboxWorker {
  const { database, clock, log, metrics, stops } = base;
  const outbox = new OutboxWorker({ database, clock, log, handlers: outboxHandlers(base, areas) });
  metrics.watchFailedOutbox(() => outbox.countFailed());
  outbox.start();
  stops.push(() => outbox.stop());
  return outbox;
}

/** What is done from time to time and by nobody's request. */
export function startJobs(base: Base, areas: Areas, outbox: OutboxWorker): void {
  const { database, rpc, sessions, secret, clock, log, stops } = base;
  const { accounts, alerts, channels, market, strategies, trading, treasury } = areas;
  const start = (loop: { start(): void; stop(): Promise<void> }) => {
    loop.start();
    stops.push(() => loop.stop());
  };
  const loop = (options: Pick<LoopOptions<void>, 'name' | 'work' | 'everyMs' | 'firstAfterMs'>) =>
    start(new Loop({ ...options, clock, log }));
  start(reserveLoop({ database, rpc, bookKey: treasury.reserveKey }, { clock, log }));
  start(alerts);
  start(channels);
  loop({
    name: 'strategy record pass',
    work: () =>
      keepRecord({ ...strategies, pricesAt: (mint, linked, atMs) => market.references.at(mint, linked, atMs) }),
    everyMs: RECORD_MS,
    firstAfterMs: RECORD_MS,
  });
  loop({
    name: 'recording of equity points',
    work: () => recordEquityPoints(trading),
    everyMs: EQUITY_EVERY_MS / 5,
    firstAfterMs: EQUITY_EVERY_MS / 10,
  });
  const idempotency = new Idempotency({ database, clock, secret });
  loop({
    name: 'removal of expired rows',
    work: async () => {
      await sessions.removeExpired();
      await accounts.codes.removeExpired();
      await removeOldLinks(database, new Date(clock.nowMs()));
      await idempotency.removeOld();
      await outbox.removeOld();
      await alerts.alerts.removeOld();
      await thinEquityPoints(database, clock.nowMs());
    },
    everyMs: CLEAN_MS,
    firstAfterMs: CLEAN_MS,
  });
}

function outboxHandlers(base: Base, areas: Areas): Record<string, OutboxHandler> {
  const { config, database, secret, signer, stops } = base;
  const { strategies, alerts, channels } = areas;
  const { deposits, faucet, withdrawals } = areas.treasury;
  const deliverMail: DeliverMail[] = [];
  if (config.local) deliverMail.push((mail) => putIntoMailbox(database, emailKey(mail.to), mail));
  if (config.SMTP_URL) {
    const smtp = deliverOverSmtp(config.SMTP_URL, config.MAIL_FROM);
    deliverMail.push(smtp.deliver);
    stops.push(smtp.close);
  }
  return {
    [MAIL_TOPIC]: mailHandler(secret, deliverMail),
    [WALLET_CREATED_TOPIC]: async (wallet: WalletCreated) => {
      await deposits.add(address(wallet.address));
      if (config.local && wallet.kind !== 'strategy') await faucet.welcome(address(wallet.address));
    },
    [ACCOUNT_FROZEN_TOPIC]: ({ userId }: AccountFrozen) => withdrawals.cancelHeld(userId),
    [COMMITS_FINAL_TOPIC]: ({ signatures }: CommitsFinal) => signer.commitsFinal(signatures),
    [TRANSFER_SETTLED_TOPIC]: (settled: TransferSettled) => onTransferSettled(strategies, settled),
    [FILLS_TOPIC]: (fills: FillsRecorded) => onFills(strategies, fills),
    [UNDONE_TOPIC]: (undone: FillsUndone) => onFillsUndone(strategies, undone),
    ...alerts.topics,
    ...channels.topics,
  };
}
