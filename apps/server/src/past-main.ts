import { createApi, startApi } from './roles/api.ts';
import { createAreas } from './roles/areas.ts';
import { createBase, type StopAtOnce } from './roles/base.ts';
import { startEngine } from './roles/engine.ts';
import { followMarket } from './roles/indexer.ts';
import { startOutbox } from './roles/outbox.ts';
import { address } from '@hunter/solana/address';
import { ALL_WALLETS } from './ledger/wallet-part.ts';
import { WALLET_CREATED_TOPIC, type WalletCreated } from './ledger/wallets.ts';
import { emailKey } from './accounts/email-key.ts';
import { readConfig } from './config.ts';
import { CallsUnderWay } from './platform/calls-under-way.ts';
import { systemClock as clock, untilQuiet } from './platform/clock.ts';
import { createLog } from './platform/log.ts';
import { Loop } from './platform/loop.ts';
import { mailHandler, MAIL_TOPIC } from './platform/mail.ts';
import { putIntoMailbox } from './platform/mailbox.ts';
import { migrate } from './platform/migrate.ts';
import { exitWithParent } from './platform/parent-process.ts';
import { enterPast } from './platform/past-time.ts';
import { ServerLease } from './platform/server-lease.ts';
import { endPlainly } from './platform/start-failure.ts';
import { countUnfinished, hasStrategies } from './portfolio/unfinished-work.ts';
import { keepRecord } from './strategies/performance/keep-record.ts';

// The server of a past that is being made, before the first start of local mode. The areas are those of `main.ts`, on the clock
// of that past; of their loops only those run without which nobody could publish, trade and follow. The rest is done for the
// whole past at once when the product starts.

const RECORD_MS = 15_000;
/** Each of them plans every statement anew, which is a good part of the work of so short a life. */
const CONNECTIONS_MAX = 5;
/**
 * Time goes on when neither a statement nor a call to chain, venue or signer has been under way for this long, so that what takes
 * a slow machine long takes no time of the past; after the other in any case, should one of them wait for time to pass.
 */
const QUIET_MS = 2;
const QUIET_MAX_MS = 1_000;
/**
 * The plans of the first statements are made for empty tables. After this much of the past these have grown enough to be planned for
 * anew; so short a life ends before the database would do that by itself.
 */
const ANALYZED_AFTER_MS = 36 * 3_600_000;
const ANALYZED =
  'strategy, strategy_event, follow, book, holding, trade_order, allocation, round_entry, journal_entry, posting, round_trip';
/** Rows are told of when they are written, and nothing of this past is lost with a process: there is nothing to look for. */
const OUTBOX_POLL_MS = 3_600_000;

const started = endPlainly();
const config = readConfig(process.env);
const log = createLog(config.LOG_LEVEL);
const stopAtOnce: StopAtOnce = (reason) => {
  log.fatal(reason);
  process.exit(1);
};
// A past that was interrupted is thrown away, so there is nothing to drain.
process.on('SIGTERM', () => process.exit(0));
process.on('SIGINT', () => process.exit(0));
exitWithParent(() => process.exit(0));
if (!config.local || config.PAST_CLOCK_URL === undefined) stopAtOnce('a past is made in local mode only');

await migrate(config.DATABASE_URL);
const onLost = () => stopAtOnce('another server has taken over this database; stopping at once');
const serverLease = new ServerLease({ databaseUrl: config.DATABASE_URL, clock, log, onLost });
const lease = await serverLease.take();
const stops: (() => Promise<void> | void)[] = [() => serverLease.release()];
const past = await enterPast({ url: config.PAST_CLOCK_URL, databaseUrl: config.DATABASE_URL });
const calls = new CallsUnderWay();
calls.countFetches();
const own = await createBase(
  { config, log, stops, stopAtOnce, lease, isStopping: () => false },
  { maxConnections: CONNECTIONS_MAX, asksAboutCommits: false },
);
const base = { ...own, outboxPollMs: OUTBOX_POLL_MS, rpc: calls.counting(own.rpc), signer: calls.counting(own.signer) };
const { database, secret } = base;
const areas = createAreas(base);
const { market, strategies, alerts, channels } = areas;
const { faucet } = areas.treasury;
const deposits = areas.treasury.deposits(database, ALL_WALLETS);
let isWatching = true;
const beganAtMs = clock.nowMs();
let isAnalyzed = false;
const over = past.follow({
  untilQuiet: () =>
    untilQuiet(() => database.underWay + calls.count > 0, { quietMs: QUIET_MS, atMostMs: QUIET_MAX_MS }),
  news: async () => {
    // Whoever publishes has the SOL of the welcome; after that nobody deposits anything. What the wallets trade is read once,
    // when the product starts.
    if (isWatching && (await hasStrategies(database))) {
      isWatching = false;
      await deposits.stop();
    }
    if (!isAnalyzed && clock.nowMs() - beganAtMs > ANALYZED_AFTER_MS) {
      isAnalyzed = true;
      await database.write(`analyze ${ANALYZED}`);
    }
    const lagMs = market.lagMs();
    return { unfinished: await countUnfinished(database), marketAtMs: lagMs === null ? null : clock.nowMs() - lagMs };
  },
  leave: async () => {
    for (const stop of stops.reverse()) await stop();
  },
});
over.catch((error: Error) => stopAtOnce(`the clock of the past has failed: ${error.message}`));
startOutbox(base, {
  [MAIL_TOPIC]: mailHandler(secret, [(mail) => putIntoMailbox(database, emailKey(mail.to), mail)]),
  ...alerts.topics,
  ...channels.topics,
});
const app = createApi(base, areas);
await followMarket(base, areas);
startOutbox(base, {
  [WALLET_CREATED_TOPIC]: async (wallet: WalletCreated) => {
    if (wallet.kind === 'strategy') return;
    await deposits.add(address(wallet.address));
    await faucet.welcome(address(wallet.address));
  },
});
await deposits.start();
stops.push(() => deposits.stop());
await base.ownership.job('indexer', () => market.index());
await startEngine(base, areas, null);
const record = new Loop({
  name: 'strategy record pass',
  work: () => keepRecord({ ...strategies, pricesAt: (mint, linked, atMs) => market.references.at(mint, linked, atMs) }),
  everyMs: RECORD_MS,
  clock,
  log,
});
record.start();
stops.push(() => record.stop());
const port = await startApi(base, areas, app);
process.stdout.write(`${JSON.stringify({ ready: true, web: `http://localhost:${port}` })}\n`);
started();
await over;
