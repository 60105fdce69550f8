import { signerCalls, type SignerCall } from '@hunter/signer-client/signer-connection';
import type { SignerStatus } from '@hunter/signer-client/signer-status';
import { STOP_KINDS } from '@hunter/signer-client/stop-kinds';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { OutboxTopic } from '../platform/outbox.ts';
import { connectionWaits } from '../platform/postgres.ts';

/** Where the figures of a process come from. They are asked for when somebody reads them. */
export type FigureSources = {
  readonly roles: readonly string[];
  readonly database: { readonly connections: { busy: number; idle: number; waiting: number } };
  readonly isBusConnected: () => boolean;
  readonly jobs: () => ReadonlyMap<string, boolean>;
  readonly marketLagMs: () => number | null;
  readonly lanes: { readonly groups: number; readonly waiting: Readonly<Record<string, number>> };
};

/** What stands in the database and is the same whichever process reads it. */
export type StoredFigures = {
  readonly outbox: () => Promise<readonly OutboxTopic[]>;
  readonly openOrders: () => Promise<Readonly<Record<string, number>>>;
  readonly putOffTransfers: () => Promise<Readonly<Record<string, { count: number; lamports: bigint }>>>;
};

export type StreamFigures = { readonly connections: number; readonly losses: { replaced: number; stuck: number } };

type Named = { name: string; help: string; labelNames?: string[] };

function gauge(registry: Registry, named: Named, collect: (gauge: Gauge) => void | Promise<void>): void {
  const made: Gauge = new Gauge({ ...named, registers: [registry], collect: () => collect(made) });
}

/** Counts that somebody else keeps. */
function counter(registry: Registry, named: Named, collect: (counter: Counter) => void): void {
  const made: Counter = new Counter({
    ...named,
    registers: [registry],
    collect: () => {
      made.reset();
      collect(made);
    },
  });
}

export function watchProcess(registry: Registry, sources: FigureSources): void {
  const { roles, database, isBusConnected, jobs, marketLagMs, lanes } = sources;
  gauge(registry, { name: 'hunter_role', help: 'Roles of this process.', labelNames: ['role'] }, (made) => {
    for (const role of roles) made.set({ role }, 1);
  });
  gauge(
    registry,
    { name: 'hunter_bus_connected', help: '1 while messages reach the other processes, or where there are none.' },
    (made) => made.set(isBusConnected() ? 1 : 0),
  );
  gauge(
    registry,
    {
      name: 'hunter_lease_owner',
      help: '1 where this process has the lease, 0 where it stands by.',
      labelNames: ['lease'],
    },
    (made) => {
      for (const [lease, isOwned] of jobs()) made.set({ lease }, isOwned ? 1 : 0);
    },
  );
  gauge(
    registry,
    { name: 'hunter_market_lag_seconds', help: 'Age of the newest block whose trades this process knows.' },
    (made) => {
      const lagMs = marketLagMs();
      // Nothing known yet is as old as can be, and not new.
      made.set(lagMs === null ? Number.POSITIVE_INFINITY : lagMs / 1000);
    },
  );
  if (roles.includes('engine')) watchLanes(registry, lanes);
  watchDatabase(registry, database);
  watchSigner(registry);
}

function watchLanes(registry: Registry, lanes: FigureSources['lanes']): void {
  gauge(
    registry,
    { name: 'hunter_lane_groups', help: 'Groups of strategy lanes that this process owns, of 64 in all.' },
    (made) => made.set(lanes.groups),
  );
  gauge(
    registry,
    {
      name: 'hunter_lane_waiting',
      help: 'Work that waits in the lanes of this process, by turn.',
      labelNames: ['turn'],
    },
    (made) => {
      for (const [turn, count] of Object.entries(lanes.waiting)) made.set({ turn }, count);
    },
  );
}

function watchDatabase(registry: Registry, database: FigureSources['database']): void {
  gauge(
    registry,
    { name: 'hunter_database_connections', help: 'Connections of the pool.', labelNames: ['state'] },
    (made) => {
      const { busy, idle } = database.connections;
      made.set({ state: 'busy' }, busy);
      made.set({ state: 'idle' }, idle);
    },
  );
  gauge(registry, { name: 'hunter_database_waiting', help: 'Callers that wait for a connection now.' }, (made) =>
    made.set(database.connections.waiting),
  );
  const waits = new Histogram({
    name: 'hunter_database_wait_seconds',
    help: 'How long transactions waited for a connection.',
    buckets: [0.001, 0.01, 0.1, 1, 10],
    registers: [registry],
  });
  connectionWaits.subscribe((waitedMs) => waits.observe((waitedMs as number) / 1000));
}

function watchSigner(registry: Registry): void {
  const seconds = new Histogram({
    name: 'hunter_signer_seconds',
    help: 'Time until the signer answered a call.',
    labelNames: ['method'],
    buckets: [0.002, 0.01, 0.05, 0.2, 1, 5, 30],
    registers: [registry],
  });
  const failures = new Counter({
    name: 'hunter_signer_failures_total',
    help: 'Calls that the signer did not answer, or not as asked. Denials are answers.',
    labelNames: ['code'],
    registers: [registry],
  });
  signerCalls.subscribe((message) => {
    const { method, durationMs, failure } = message as SignerCall;
    seconds.observe({ method }, durationMs / 1000);
    if (failure !== null) failures.inc({ code: failure });
  });
}

/** `read` answers null where the signer does not. */
export function watchSignerStatus(registry: Registry, read: () => Promise<SignerStatus | null>): void {
  let status: ReturnType<typeof read> = Promise.resolve(null);
  gauge(
    registry,
    {
      name: 'hunter_signer_stopped',
      help: '1 where the signer refuses all requests of a kind: the kill switch is on, by hand or by itself.',
      labelNames: ['kind'],
    },
    async (made) => {
      status = read();
      const kinds = (await status)?.stopped;
      made.reset();
      if (!kinds) return;
      for (const kind of STOP_KINDS) made.set({ kind }, kinds.includes(kind) ? 1 : 0);
    },
  );
  gauge(
    registry,
    {
      name: 'hunter_signer_waiting',
      help: 'Keys that are shown later, second factors that are removed later, returns that the signer holds for an hour, and withdrawals that wait for their turn.',
      labelNames: ['what'],
    },
    async (made) => {
      const known = await status;
      made.reset();
      if (known === null) return;
      made.set({ what: 'export' }, known.waitingExports);
      made.set({ what: 'recovery' }, known.recoveries.length);
      made.set({ what: 'return' }, known.heldReturns.length);
      made.set({ what: 'withdrawal' }, known.withdrawals.waiting);
    },
  );
  gauge(
    registry,
    {
      name: 'hunter_signer_withdrawn_part',
      help: 'What part of SIGNER_WITHDRAWALS_DAILY_TOTAL_SOL left within the window.',
      labelNames: ['window'],
    },
    async (made) => {
      const known = await status;
      made.reset();
      if (known !== null) made.set({ window: '24h' }, known.withdrawals.part);
    },
  );
}

export function watchStored(registry: Registry, { outbox, openOrders, putOffTransfers }: StoredFigures): void {
  // One reading for both gauges of one look, here and below. Without the database the other figures must still be readable.
  let topics: Promise<readonly OutboxTopic[]> = Promise.resolve([]);
  gauge(
    registry,
    {
      name: 'hunter_outbox_failed',
      help: 'Outbox rows that failed twelve times and are tried on every five minutes. Must be 0.',
      labelNames: ['topic'],
    },
    async (made) => {
      topics = outbox().catch(() => []);
      const read = await topics;
      made.reset();
      for (const { topic, failed } of read) made.set({ topic }, failed);
    },
  );
  gauge(
    registry,
    {
      name: 'hunter_outbox_oldest_seconds',
      help: 'Age of the oldest outbox row that is still to be carried out.',
      labelNames: ['topic'],
    },
    async (made) => {
      const read = await topics;
      made.reset();
      for (const { topic, oldestSeconds } of read) made.set({ topic }, oldestSeconds);
    },
  );
  gauge(
    registry,
    { name: 'hunter_open_orders', help: 'Orders that may still trade, by age.', labelNames: ['age'] },
    async (made) => {
      const counts = await openOrders().catch(() => ({}));
      made.reset();
      for (const [age, count] of Object.entries(counts)) made.set({ age }, count);
    },
  );
  let putOff: ReturnType<StoredFigures['putOffTransfers']> = Promise.resolve({});
  gauge(
    registry,
    {
      name: 'hunter_transfers_put_off',
      help: 'Commits to strategies and returns from them that the signer does not sign before a later time.',
      labelNames: ['kind'],
    },
    async (made) => {
      putOff = putOffTransfers().catch(() => ({}));
      const read = await putOff;
      made.reset();
      for (const [kind, { count }] of Object.entries(read)) made.set({ kind }, count);
    },
  );
  gauge(
    registry,
    { name: 'hunter_transfers_put_off_lamports', help: 'The SOL in them.', labelNames: ['kind'] },
    async (made) => {
      const read = await putOff;
      made.reset();
      for (const [kind, { lamports }] of Object.entries(read)) made.set({ kind }, Number(lamports));
    },
  );
}

export function watchStream(registry: Registry, stream: StreamFigures): void {
  gauge(registry, { name: 'hunter_stream_sockets', help: 'Open connections of the live stream.' }, (made) =>
    made.set(stream.connections),
  );
  counter(
    registry,
    {
      name: 'hunter_stream_replaced_total',
      help: 'Live values that a newer one replaced before a slow client could be sent them.',
    },
    (made) => made.inc(stream.losses.replaced),
  );
  counter(
    registry,
    { name: 'hunter_stream_stuck_total', help: 'Clients that were disconnected because they did not read.' },
    (made) => made.inc(stream.losses.stuck),
  );
}
