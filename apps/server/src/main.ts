import { createApi, startApi } from './roles/api.ts';
import { createAreas } from './roles/areas.ts';
import { createBase, type StopAtOnce } from './roles/base.ts';
import { startEngine } from './roles/engine.ts';
import { startIndexer } from './roles/indexer.ts';
import { startJobs, startOutbox } from './roles/jobs.ts';
import { startStream } from './roles/stream.ts';
import { readConfig } from './config.ts';
import { systemClock as clock } from './platform/clock.ts';
import { refuseForeignChain } from './platform/foreign-chain.ts';
import { createLog } from './platform/log.ts';
import { migrate } from './platform/migrate.ts';
import { exitWithParent } from './platform/parent-process.ts';
import { SecondServerError, ServerLease } from './platform/server-lease.ts';

// The composition root: the areas are made in `roles/areas.ts`, each role starts its own, and everything is stopped in the
// opposite order.

const STOP_MS = 20_000;

const config = readConfig(process.env);
const log = createLog(config.LOG_LEVEL);
const stops: (() => Promise<void> | void)[] = [];
const stopAtOnce: StopAtOnce = (reason) => {
  log.fatal(reason);
  process.exit(1);
};

const serverLease = new ServerLease({
  databaseUrl: config.DATABASE_URL,
  clock,
  log,
  onLost: () => stopAtOnce('another server has taken over this database while this one was paused; stopping at once'),
});
// A running server must not have its schema changed under it, so the lease comes before the migrations, except on a
// database that is older than the table of leases.
if (!(await serverLease.isPossible())) await migrate(config.DATABASE_URL);
const lease = await serverLease.take().catch((error: Error) => {
  if (error instanceof SecondServerError) stopAtOnce(error.message);
  throw error;
});
stops.push(() => serverLease.release());
await migrate(config.DATABASE_URL);
const base = createBase({ config, log, stops, stopAtOnce });
await refuseForeignChain({ rpc: base.rpc, clock, refuse: stopAtOnce });

const areas = createAreas({ ...base, lease: () => lease });
const outbox = startOutbox(base, areas);
const app = createApi(base, areas);
startStream(base, app.server);
await startIndexer(base, areas);
await startEngine(base, areas);
startJobs(base, areas, outbox);
const port = await startApi(base, areas, app);
process.stdout.write(`${JSON.stringify({ ready: true, web: `http://localhost:${port}` })}\n`);

let stopping = false;
async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  // Whatever hangs must not keep the process: everything that matters is in the database.
  void clock
    .pause(STOP_MS)
    .then(() => stopAtOnce('stopping took too long; the next start carries on from the database'));
  for (const one of stops.reverse()) await one();
  process.exit(0);
}
process.on('SIGTERM', () => void stop());
process.on('SIGINT', () => void stop());
exitWithParent(() => void stop());
