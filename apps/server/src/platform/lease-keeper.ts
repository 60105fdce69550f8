import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Clock } from './clock.ts';
import { LeaseLostError, releaseLease, renewLeases, requireLease, takeLease, type Lease } from './leases.ts';
import type { Log } from './log.ts';
import { Loop } from './loop.ts';
import { Database, isLockTimeout, type Sql } from './postgres.ts';

/** How often a lease is renewed while it lasts. */
const RENEWALS = 3;
const LOCK_MS = 200;

export type LeaseKeeperDeps = {
  databaseUrl: string;
  durationMs: number;
  clock: Clock;
  log: Log;
  /** Another process has taken a lease over while this one was paused or cut off: whatever it remembers may be old. */
  onLost: (name: string) => void;
};

/** The leases of this process, renewed together over a connection of their own. */
export class LeaseKeeper {
  readonly owner = `process ${process.pid} on ${hostname()} (${randomUUID()})`;
  readonly #deps: LeaseKeeperDeps;
  /** For renewing and releasing: one connection, so that a renewal never overtakes the release of the same lease. */
  readonly #database: Database;
  /** For taking, which may have to wait for a decision of the former owner. */
  readonly #taking: Database;
  readonly #held = new Map<string, Lease>();
  readonly #renewal: Loop;

  constructor(deps: LeaseKeeperDeps) {
    this.#deps = deps;
    const { databaseUrl, durationMs, clock, log } = deps;
    this.#database = new Database(databaseUrl, log, { maxConnections: 1 });
    this.#taking = new Database(databaseUrl, log, { maxConnections: 1, lockTimeoutMs: LOCK_MS });
    const everyMs = durationMs / RENEWALS;
    this.#renewal = new Loop({
      name: 'lease renewal',
      work: () => this.#renew(),
      everyMs,
      firstAfterMs: everyMs,
      retryMs: { first: 200, max: everyMs },
      clock,
      log,
    });
  }

  start(): void {
    this.#renewal.start();
  }

  /** Lets others take over at once. */
  async stop(): Promise<void> {
    await this.#renewal.stop();
    for (const name of this.#held.keys()) await this.release(name);
    await this.#database.close();
    await this.#taking.close();
  }

  holds(name: string): boolean {
    return this.#held.has(name);
  }

  /** False where another process has it. */
  async take(name: string): Promise<boolean> {
    if (this.#held.has(name)) return true;
    try {
      const lease = await takeLease(this.#taking, name, this.owner, { durationMs: this.#deps.durationMs });
      if (lease) this.#held.set(name, lease);
      return lease !== null;
    } catch (error) {
      // The former owner was stopped in the middle of a decision; the database ends it, or he does.
      if (isLockTimeout(error)) return false;
      throw error;
    }
  }

  async release(name: string): Promise<void> {
    const lease = this.#held.get(name);
    if (!lease) return;
    this.#held.delete(name);
    await releaseLease(this.#database, lease).catch((error: unknown) =>
      this.#deps.log.warn({ lease: name, err: error }, 'releasing a lease failed; it runs out by itself'),
    );
  }

  /** Throws `LeaseLostError` unless this process has it; until the end of the transaction nobody takes it over. */
  async require(sql: Sql, name: string): Promise<void> {
    await requireLease(sql, this.leaseOf(name));
  }

  leaseOf(name: string): Lease {
    const lease = this.#held.get(name);
    if (!lease) throw new LeaseLostError({ name, owner: this.owner, epoch: 0n });
    return lease;
  }

  async #renew(): Promise<void> {
    const lost = await renewLeases(this.#database, [...this.#held.values()], this.#deps.durationMs);
    for (const { name, epoch } of lost) {
      if (this.#held.get(name)?.epoch !== epoch) continue;
      this.#held.delete(name);
      this.#deps.onLost(name);
    }
  }
}
