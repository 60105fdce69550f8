import { createApi, createHandlers, startApi } from './roles/api.ts';
import { createAreas } from './roles/areas.ts';
import { createBase, type StopAtOnce } from './roles/base.ts';
import { CommandResponder } from './roles/commands.ts';
import { startEngine } from './roles/engine.ts';
import { followMarket, startIndexer } from './roles/indexer.ts';
import { startJobs } from './roles/jobs.ts';
import { readinessOf, serveOps, watchFigures } from './roles/ops.ts';
import { passStreamOn, serveStream, startStream } from './roles/stream.ts';
import { readConfig, type Role } from './config.ts';
import { systemClock as clock } from './platform/clock.ts';
import { refuseForeignChain } from './platform/foreign-chain.ts';
import { createLog } from './platform/log.ts';
import { migrate, programVersion } from './platform/migrate.ts';
import { exitWithParent } from './platform/parent-process.ts';
import { endPlainly } from './platform/start-failure.ts';
import { wordsOf } from './platform/words-of.ts';
import { SharesLanes } from './strategies/strategy-lanes.ts';
import { SecondServerError, ServerLease } from './platform/server-lease.ts';

// The composition root: the areas are made in `roles/areas.ts`, each role starts its own, and everything is stopped in the
// opposite order.

const STOP_MS = 20_000;

const started = endPlainly();
const config = readConfig(process.env);
const log = createLog(config.LOG_LEVEL);
const stops: (() => Promise<void> | void)[] = [];
const stopAtOnce: StopAtOnce = (reason) => {
  log.fatal(reason);
  process.exit(1);
};
let stopping = false;
const has = (role: Role): boolean => config.ROLE.includes(role);

const serverLease = new ServerLease({
  databaseUrl: config.DATABASE_URL,
  clock,
  log,
  together: config.NATS_URL === undefined ? undefined : { program: await programVersion() },
  onLost: () =>
    stopAtOnce(
      'another server has taken over this database while this one was paused, or has changed its schema; stopping at once',
    ),
});
// A running server must not have its schema changed under it, so the lease comes before the migrations, except on a
// database that is older than the table of leases.
const isLeasePossible = await serverLease
  .isPossible()
  .catch((error: Error) => stopAtOnce(`the database of DATABASE_URL cannot be used: ${wordsOf(error)}`));
if (!isLeasePossible) await migrate(config.DATABASE_URL);
const lease = await serverLease.take().catch((error: Error) => {
  if (error instanceof SecondServerError) stopAtOnce(error.message);
  throw error;
});
stops.push(() => serverLease.release());
await migrate(config.DATABASE_URL).catch((error: Error) => stopAtOnce(error.message));
const base = await createBase({ config, log, stops, stopAtOnce, lease, isStopping: () => stopping });
await refuseForeignChain({ rpc: base.rpc, clock, refuse: stopAtOnce });

const { keeper, processes } = base;
const lanes = keeper && has('engine') ? new SharesLanes({ keeper, bus: processes, clock }) : null;
if (lanes) stops.push(() => lanes.stop());
const areas = createAreas({ ...base, ...(lanes ? { laneOwners: lanes } : {}) });
const app = has('api') ? createApi(base, areas) : null;
if (app && has('stream')) startStream(base, app.server);
else if (app) passStreamOn(base, app.server);
watchFigures(base, areas);
await serveOps(base, readinessOf(base, areas));
await followMarket(base, areas);
if (has('indexer')) await startIndexer(base, areas);
if (has('engine')) {
  const shared = lanes && { lanes, responder: new CommandResponder(processes, createHandlers(base, areas)) };
  if (shared) lanes.onChange((shard, isOwned) => shared.responder.laneChanged(shard, isOwned));
  await startEngine(base, areas, shared);
}
if (has('jobs')) await startJobs(base, areas);
if (!app && has('stream')) await serveStream(base);
const port = app ? await startApi(base, areas, app) : config.PORT;
process.stdout.write(`${JSON.stringify({ ready: true, web: `http://localhost:${port}` })}\n`);
started();

async function stop(): Promise<void> {
  if (stopping) return;
  stopping = true;
  // Whatever hangs must not keep the process: everything that matters is in the database.
  void clock
    .pause(config.DRAIN_SECONDS * 1000 + STOP_MS)
    .then(() => stopAtOnce('stopping took too long; the next start carries on from the database'));
  // A proxy in front sees that this process is no longer ready and turns to others; until then it is served.
  await clock.pause(config.DRAIN_SECONDS * 1000);
  for (const one of stops.reverse()) await one();
  process.exit(0);
}
process.on('SIGTERM', () => void stop());
process.on('SIGINT', () => void stop());
exitWithParent(() => void stop());
