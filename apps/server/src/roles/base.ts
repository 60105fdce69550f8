import { SignerClient } from '@hunter/signer-client/signer-client';
import { signerCalls, type SignerCall } from '@hunter/signer-client/signer-connection';
import { RpcClient } from '@hunter/solana/rpc-client';
import { RpcSubscriptions } from '@hunter/solana/rpc-subscriptions';
import { Sessions } from '../accounts/sessions.ts';
import type { Config } from '../config.ts';
import { createMetrics, type Metrics } from '../http/metrics.ts';
import type { Bus } from '../platform/bus/bus.ts';
import { LocalBus } from '../platform/bus/local-bus.ts';
import { connectNats } from '../platform/bus/nats-bus.ts';
import { systemClock, type Clock } from '../platform/clock.ts';
import { LeaseKeeper } from '../platform/lease-keeper.ts';
import type { Lease } from '../platform/leases.ts';
import { LiveBus } from '../platform/live-bus.ts';
import type { Log } from '../platform/log.ts';
import { tellOutboxOverBus } from '../platform/outbox.ts';
import { OwnsByLease, OwnsEverything, type Ownership } from '../platform/ownership.ts';
import { Database } from '../platform/postgres.ts';
import { useTracer } from '../platform/traces.ts';
import { checkSharedSecret, loadServerSecret, type ServerSecret } from '../platform/server-secret.ts';

/** Ends the process: what cannot go on must not look as if it did. */
export type StopAtOnce = (reason: string) => never;

/** What every role stands on. `stops` are called in the opposite order when the process stops. */
export type Base = {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly database: Database;
  readonly secret: ServerSecret;
  readonly signer: SignerClient;
  readonly rpc: RpcClient;
  readonly subscriptions: RpcSubscriptions;
  readonly bus: LiveBus;
  /** Between processes; inside this one where it is alone. */
  readonly processes: Bus;
  /** Null where this process is alone on its database. */
  readonly keeper: LeaseKeeper | null;
  readonly ownership: Ownership;
  readonly sessions: Sessions;
  readonly stops: (() => Promise<void> | void)[];
  readonly stopAtOnce: StopAtOnce;
  /** From then on this process is not ready, and finishes what it has begun. */
  readonly isStopping: () => boolean;
  /** How often outbox rows are looked for of which nobody was told; as usual where nothing is said. */
  readonly outboxPollMs?: number;
};

export async function createBase(
  deps: Pick<Base, 'config' | 'log' | 'stops' | 'stopAtOnce' | 'isStopping'> & { lease: Lease },
  options: { maxConnections?: number; asksAboutCommits?: boolean } = {},
): Promise<Base> {
  const { config, log, stops, stopAtOnce } = deps;
  const clock = systemClock;
  const database = new Database(config.DATABASE_URL, log, options);
  stops.push(() => database.close());
  const secret = loadServerSecret(config.DATA_DIR, config.SERVER_SECRET);
  await checkSharedSecret(database, secret, config.NATS_URL !== undefined).catch((error: Error) =>
    stopAtOnce(error.message),
  );
  const signer = new SignerClient({
    socketPath: config.SIGNER_SOCKET,
    token: config.SIGNER_TOKEN,
    tlsFolder: config.SIGNER_TLS_DIR,
  });
  stops.push(() => signer.close());
  const rpc = new RpcClient({ url: config.SOLANA_RPC_URL });
  stops.push(() => rpc.close());
  const subscriptions = new RpcSubscriptions({
    url: config.SOLANA_WS_URL,
    onError: (error) => log.warn({ error: String(error) }, 'a chain subscription failed'),
  });
  stops.push(() => subscriptions.close());
  await startTraces(deps);
  const sessions = new Sessions(database, clock);
  const seen = sessions.keepSeen(log);
  seen.start();
  stops.push(() => seen.stop());
  const shared = await shareDatabase(deps, database, sessions);
  return {
    ...deps,
    clock,
    metrics: createMetrics(),
    database,
    secret,
    signer,
    rpc,
    subscriptions,
    bus: new LiveBus(shared.processes),
    sessions,
    ...shared,
  };
}

/** Nothing of it is loaded where the operator has no collector. */
async function startTraces({ config, log, stops }: Pick<Base, 'config' | 'log' | 'stops'>): Promise<void> {
  if (config.TRACES_URL === undefined) return;
  const { OtlpTracer } = await import('../platform/tracer.ts');
  const { TRACES_URL: url, TRACES_PERCENT: percent, ROLE: roles } = config;
  const tracer = new OtlpTracer({ url, percent, roles, clock: systemClock, log });
  useTracer(tracer);
  tracer.start();
  // Told in the caller's own context, after the answer.
  signerCalls.subscribe((message) => {
    const { method, durationMs, failure } = message as SignerCall;
    tracer.ended('signer', { method, ...(failure === null ? {} : { failure }) }, durationMs);
  });
  stops.push(() => tracer.stop());
}

/** Who else works on the database, and what is then this process's own. */
async function shareDatabase(
  {
    config,
    log,
    stops,
    stopAtOnce,
    isStopping,
    lease,
  }: Pick<Base, 'config' | 'log' | 'stops' | 'stopAtOnce' | 'isStopping'> & { lease: Lease },
  database: Database,
  sessions: Sessions,
): Promise<Pick<Base, 'processes' | 'keeper' | 'ownership'>> {
  if (config.NATS_URL === undefined) {
    return { processes: new LocalBus(log), keeper: null, ownership: new OwnsEverything(database, lease) };
  }
  const clock = systemClock;
  const processes = await connectNats(config.NATS_URL, log).catch((error: Error) =>
    stopAtOnce(`NATS does not answer at NATS_URL: ${error.message}`),
  );
  stops.push(() => processes.close());
  stops.push(tellOutboxOverBus(processes));
  const keeper = new LeaseKeeper({
    databaseUrl: config.DATABASE_URL,
    durationMs: config.LEASE_SECONDS * 1000,
    clock,
    log,
    onLost: (name) =>
      stopAtOnce(`another process has taken over "${name}" while this one was paused; stopping at once`),
  });
  keeper.start();
  stops.push(() => keeper.stop());
  const ownership = new OwnsByLease({ database, keeper, isStopping, clock, log });
  ownership.start();
  stops.push(() => ownership.stop());
  const sharing = sessions.share(processes, log);
  sharing.start();
  stops.push(() => sharing.stop());
  return { processes, keeper, ownership };
}
