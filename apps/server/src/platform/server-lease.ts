import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { Client } from 'pg';
import type { Clock } from './clock.ts';
import {
  type Lease,
  type LeaseHolder,
  joinLease,
  loadLeaseHolder,
  releaseLease,
  renewLease,
  takeLease,
} from './leases.ts';
import type { Log } from './log.ts';
import { Loop } from './loop.ts';
import { announceProgram } from './program-presence.ts';
import type { Row, Sql } from './postgres.ts';

const NAME = 'server';
const DURATION_MS = 5_000;
const RENEW_MS = 1_500;
const LOOK_AGAIN_MS = 100;
/** How long a query of the lease may take before its connection counts as broken. */
const QUERY_TIMEOUT_MS = 3_000;

type ServerLeaseDeps = {
  databaseUrl: string;
  clock: Clock;
  log: Log;
  onLost: () => void;
  /** Of a process that shares the database with others: the version of its program. */
  together?: { program: string } | undefined;
};

/** Who owns the database where several processes share it: all of them together. */
const TOGETHER = 'servers that share this database over NATS';

export class SecondServerError extends Error {
  override readonly name = 'SecondServerError';

  constructor({ owner, since, until }: LeaseHolder) {
    const lease = `since ${since.toISOString()}, lease valid until ${until.toISOString()}`;
    const otherwise = 'give this one a database of its own (DATABASE_URL)';
    super(
      owner === TOGETHER
        ? `servers that share one NATS server already run on this database, ${lease}; start this one with their NATS_URL, stop all of them first, or ${otherwise}`
        : `another server already runs on this database: ${owner}, ${lease}; stop it there (SIGTERM) before this one starts, or ${otherwise}; ` +
            'they share it only where each of them was started with the same NATS_URL',
    );
  }
}

/**
 * One server per database, or several that talk over NATS and share the lease, by the lease `server`. Two things stand for it:
 * - the row of the table `lease`, which is the truth (see `leases.ts`), and
 * - a session's advisory lock on the connection of the lease. It vanishes with the process, so that after a crash the next
 *   server need not wait for the lease to run out. It is only a hint: a server that lost its connection but lives is
 *   replaced by raising the epoch, and finds that out at its next renewal.
 * A connection of its own, because renewing must not wait behind the requests that occupy the pool.
 */
export class ServerLease {
  readonly #deps: ServerLeaseDeps;
  readonly #owner: string;
  readonly #renewal: Loop;
  #client: Client | null = null;
  #isLocked = false;
  #lease: Lease | null = null;
  #presence: Lease | null = null;

  constructor(deps: ServerLeaseDeps) {
    this.#deps = deps;
    this.#owner = deps.together ? TOGETHER : `process ${process.pid} on ${hostname()} (${randomUUID()})`;
    this.#renewal = new Loop({
      name: 'server lease renewal',
      work: () => this.#renew(),
      everyMs: RENEW_MS,
      firstAfterMs: RENEW_MS,
      retryMs: { first: 200, max: RENEW_MS },
      clock: deps.clock,
      log: deps.log,
    });
  }

  /** Whether the table exists: a database older than it must be migrated before the lease can be taken. */
  async isPossible(): Promise<boolean> {
    const sql = await this.#connect();
    const [row] = await sql.query<{ exists: boolean }>(`select to_regclass('lease') is not null as exists`);
    return row!.exists;
  }

  /** Throws `SecondServerError` as soon as another server is seen to be alive; takes over at once from one that is not. */
  async take(): Promise<Lease> {
    const { clock } = this.#deps;
    let firstSeenUntil: number | null = null;
    for (;;) {
      const sql = await this.#connect();
      const isFormerOwnerGone = await this.#lock(sql);
      const lease =
        (this.#deps.together && (await joinLease(sql, NAME, this.#owner, DURATION_MS))) ||
        (await takeLease(sql, NAME, this.#owner, { durationMs: DURATION_MS, isFormerOwnerGone }));
      if (lease) {
        this.#lease = lease;
        if (this.#deps.together) {
          this.#presence = await announceProgram(sql, this.#deps.together.program, this.#owner, DURATION_MS);
        }
        this.#renewal.start();
        return lease;
      }
      const holder = await loadLeaseHolder(sql, NAME);
      if (holder) {
        firstSeenUntil ??= holder.until.getTime();
        if (holder.until.getTime() > firstSeenUntil) {
          await this.#disconnect();
          throw new SecondServerError(holder);
        }
      }
      await clock.pause(LOOK_AGAIN_MS);
    }
  }

  async release(): Promise<void> {
    await this.#renewal.stop();
    // Others who share it renew it; where this was the last one, it runs out.
    if (this.#lease && !this.#deps.together) await releaseLease(await this.#connect(), this.#lease);
    if (this.#presence) await releaseLease(await this.#connect(), this.#presence);
    this.#lease = this.#presence = null;
    await this.#disconnect();
  }

  async #renew(): Promise<void> {
    const sql = await this.#connect();
    await this.#lock(sql);
    for (const lease of [this.#lease, this.#presence]) {
      if (lease && !(await renewLease(sql, lease, DURATION_MS))) this.#deps.onLost();
    }
  }

  async #lock(sql: Sql): Promise<boolean> {
    if (this.#isLocked) return true;
    const shared = this.#deps.together ? '_shared' : '';
    const [row] = await sql.query<{ locked: boolean }>(
      `select pg_try_advisory_lock${shared}(hashtextextended($1, 0)) as locked`,
      [`hunter lease ${NAME}`],
    );
    this.#isLocked = row!.locked;
    return this.#isLocked;
  }

  async #connect(): Promise<Sql> {
    if (!this.#client) {
      const client = new Client({
        connectionString: this.#deps.databaseUrl,
        application_name: 'hunter-server-lease',
        connectionTimeoutMillis: QUERY_TIMEOUT_MS,
        query_timeout: QUERY_TIMEOUT_MS,
        keepAlive: true,
      });
      client.on('error', () => void this.#disconnect(client));
      await client.connect();
      this.#client = client;
    }
    const client = this.#client;
    const ask = async <R extends Row>(text: string, values: readonly unknown[] = []): Promise<R[]> => {
      try {
        return (await client.query<R>(text, values as unknown[])).rows;
      } catch (error) {
        // Whatever went wrong, the next try gets a connection that is known to work.
        await this.#disconnect(client);
        throw error;
      }
    };
    return { query: ask, write: ask };
  }

  async #disconnect(client = this.#client): Promise<void> {
    if (client === this.#client) {
      this.#client = null;
      this.#isLocked = false;
    }
    await client?.end().catch(() => {});
  }
}
