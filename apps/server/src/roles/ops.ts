import type { SignerStatus } from '@hunter/signer-client/signer-status';
import { createServer } from 'node:http';
import { watchProcess, watchSignerStatus, watchStored } from '../http/figures.ts';
import type { Readiness } from '../http/build-server.ts';
import { waitAtMost, type Clock } from '../platform/clock.ts';
import { loadOutboxTopics } from '../platform/outbox.ts';
import { wordsOf } from '../platform/words-of.ts';
import { countOpenOrders } from '../trading/open-orders.ts';
import { countPutOffTransfers } from '../treasury/transfers/transfer-store.ts';
import { addressRefused } from './address-refused.ts';
import type { Areas } from './areas.ts';
import type { Base } from './base.ts';

/** Health, readiness and figures of this process, on a port of their own where one is set. */
export async function serveOps(
  {
    config: { OPS_PORT, OPS_HOST },
    metrics,
    stops,
    stopAtOnce,
  }: Pick<Base, 'config' | 'metrics' | 'stops' | 'stopAtOnce'>,
  readiness: Readiness,
): Promise<void> {
  if (OPS_PORT === undefined) return;
  const server = createServer((request, response) => {
    void answer(request.url ?? '').then(
      ({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body),
      () => response.writeHead(500).end(),
    );
  });
  const answer = async (path: string) => {
    if (path === '/metrics') {
      return { status: 200, type: metrics.registry.contentType, body: await metrics.registry.metrics() };
    }
    if (path === '/health') return json(200, { live: true });
    if (path !== '/ready') return json(404, {});
    const parts = await readiness();
    return json(Object.values(parts).every(({ ok }) => ok) ? 200 : 503, parts);
  };
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: OPS_PORT, host: OPS_HOST }, resolve);
  }).catch(addressRefused(stopAtOnce, { OPS_HOST, OPS_PORT }));
  stops.push(() => void server.close());
}

function json(status: number, body: unknown) {
  return { status, type: 'application/json', body: JSON.stringify(body) };
}

/** Figures of the process as a whole; what stands in the database is read by those who do the jobs. */
export function watchFigures(base: Base, areas: Areas): void {
  const { config, metrics, database, processes, ownership } = base;
  const { registry } = metrics;
  watchProcess(registry, {
    roles: config.ROLE,
    database,
    isBusConnected: () => processes.isConnected(),
    jobs: () => ownership.jobs(),
    marketLagMs: areas.market.lagMs,
    lanes: areas.strategies.lanes,
  });
  // Engines reach the signer; how it is need not be asked of more of them.
  if (config.ROLE.includes('engine')) watchSignerStatus(registry, () => signerStatus(base));
  if (!config.ROLE.includes('jobs')) return;
  watchStored(registry, {
    outbox: () => loadOutboxTopics(database),
    openOrders: () => countOpenOrders(database),
    putOffTransfers: () => countPutOffTransfers(database),
  });
}

/** What a role needs to do its work. */
export function readinessOf(
  {
    config,
    clock,
    database,
    rpc,
    signer,
    processes,
    keeper,
    isStopping,
  }: Pick<Base, 'config' | 'clock' | 'database' | 'rpc' | 'signer' | 'processes' | 'keeper' | 'isStopping'>,
  { market }: Pick<Areas, 'market'>,
): Readiness {
  const needsChain = ['api', 'engine', 'indexer'].some((role) => config.ROLE.includes(role as never));
  const look = () =>
    Promise.all([
      isOk(clock, () => database.query('select 1')),
      needsChain ? isOk(clock, () => rpc.getSlot()) : null,
      needsChain ? isOk(clock, () => signer.status()) : null,
    ]);
  const looked = sharedWhileGood(clock, look, (parts) => parts.every((part) => part?.ok !== false));
  return async () => {
    const [ofDatabase, ofChain, ofSigner] = await looked();
    return {
      ...(isStopping() ? { process: { ok: false, detail: 'stopping' } } : {}),
      database: ofDatabase,
      ...(keeper ? { bus: { ok: processes.isConnected() } } : {}),
      ...(ofChain && ofSigner ? { chain: ofChain, signer: ofSigner, market: marketReadiness(market.lagMs()) } : {}),
    };
  };
}

type PartReadiness = { ok: boolean; detail?: string };

const GOOD_FOR_MS = 1_000;

/**
 * Anybody may ask the API whether it is ready, and the signer goes through all wallets to answer. So all who ask at once share one
 * look, which never fails; a good one holds for a moment, while that something is over is said at once.
 */
function sharedWhileGood<T>(clock: Clock, look: () => Promise<T>, isGood: (found: T) => boolean): () => Promise<T> {
  let last: { looking: Promise<T>; goodSinceMs: number | null } | null = null;
  return () => {
    if (last && Math.abs(clock.nowMs() - (last.goodSinceMs ?? clock.nowMs())) < GOOD_FOR_MS) return last.looking;
    const looking = look();
    const own = (last = { looking, goodSinceMs: null as number | null });
    void looking.then((found) => (own.goodSinceMs = isGood(found) ? clock.nowMs() : -Infinity));
    return looking;
  };
}

/** Stale candles look like a calm market; past this age they must not pass for one. */
function marketReadiness(lagMs: number | null): PartReadiness {
  if (lagMs === null) return { ok: false, detail: 'the market is being read for the first time' };
  return lagMs < 30_000 ? { ok: true } : { ok: false, detail: `the market is ${Math.round(lagMs / 1000)} seconds old` };
}

/** Whoever asks gives up sooner than the parts do, and would not learn which of them it is. */
const ANSWER_WITHIN_MS = 1_500;

async function signerStatus({ clock, signer }: Pick<Base, 'clock' | 'signer'>): Promise<SignerStatus | null> {
  let found: SignerStatus | null = null;
  const asking = signer.status().then(
    (status) => (found = status),
    () => null,
  );
  await waitAtMost(clock, ANSWER_WITHIN_MS, asking);
  return found;
}

async function isOk(clock: Clock, ask: () => Promise<unknown>): Promise<PartReadiness> {
  let found: PartReadiness = { ok: false, detail: `no answer within ${ANSWER_WITHIN_MS} ms` };
  const asking = ask().then(
    () => (found = { ok: true }),
    (error: Error) => (found = { ok: false, detail: wordsOf(error) }),
  );
  await waitAtMost(clock, ANSWER_WITHIN_MS, asking);
  return found;
}
