import type { Clock } from './clock.ts';
import type { LeaseKeeper } from './lease-keeper.ts';
import type { Lease } from './leases.ts';
import type { Log } from './log.ts';
import { Loop } from './loop.ts';
import type { Database } from './postgres.ts';

const LOOK_MS = 500;
/** The pauses of a job that could not be started here double from `first` to `max`; until then others may take it. */
const START_AGAIN_MS = { first: 2_000, max: 60_000 };

/** Where it fails it leaves nothing begun. */
type Start = () => Promise<void> | void;
type Waiting = { readonly start: Start; readonly failures: number; readonly notBeforeMs: number };

/** Which of the works that only one process at a time may do are this process's. */
export interface Ownership {
  /** Starts the work now, or once no other process has it. It is stopped with the process only. */
  job(name: string, start: Start): Promise<void>;
  owns(name: string): boolean;
  /** The lease under which the job decides. */
  leaseOf(name: string): Lease;
  /** Every job that this process has or waits for, and whether it has it. */
  jobs(): ReadonlyMap<string, boolean>;
  /** Connections on which nothing is written once another process has the job. */
  databaseOf(name: string): Database;
}

/** One process per database: everything is its own, by the lease of the server. */
export class OwnsEverything implements Ownership {
  readonly #database: Database;
  readonly #lease: Lease;
  readonly #jobs = new Map<string, boolean>();

  constructor(database: Database, lease: Lease) {
    this.#database = database;
    this.#lease = lease;
  }

  async job(name: string, start: Start): Promise<void> {
    await start();
    this.#jobs.set(name, true);
  }

  jobs(): ReadonlyMap<string, boolean> {
    return this.#jobs;
  }

  owns(): boolean {
    return true;
  }

  leaseOf(): Lease {
    return this.#lease;
  }

  databaseOf(): Database {
    return this.#database;
  }
}

/** Several processes: each job has a lease. */
export class OwnsByLease implements Ownership {
  readonly #database: Database;
  readonly #keeper: LeaseKeeper;
  readonly #waiting = new Map<string, Waiting>();
  readonly #names = new Set<string>();
  readonly #loop: Loop;
  readonly #isStopping: () => boolean;
  readonly #clock: Clock;
  readonly #log: Log;

  /** Once its process `isStopping` it keeps the jobs that it has until its end, and takes no others: they would soon be handed on again. */
  constructor({
    database,
    keeper,
    isStopping = () => false,
    clock,
    log,
  }: {
    database: Database;
    keeper: LeaseKeeper;
    isStopping?: () => boolean;
    clock: Clock;
    log: Log;
  }) {
    this.#database = database;
    this.#keeper = keeper;
    this.#isStopping = isStopping;
    this.#clock = clock;
    this.#log = log;
    const work = (stopping: AbortSignal): Promise<void> => this.#takeFree(stopping);
    this.#loop = new Loop({ name: 'taking of jobs', work, everyMs: LOOK_MS, clock, log });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async job(name: string, start: Start): Promise<void> {
    this.#names.add(name);
    this.#waiting.set(name, { start, failures: 0, notBeforeMs: 0 });
  }

  jobs(): ReadonlyMap<string, boolean> {
    return new Map([...this.#names].map((name) => [name, this.owns(name)]));
  }

  owns(name: string): boolean {
    return this.#keeper.holds(name) && !this.#waiting.has(name);
  }

  leaseOf(name: string): Lease {
    return this.#keeper.leaseOf(name);
  }

  databaseOf(name: string): Database {
    return this.#database.fenced((sql) => this.#keeper.require(sql, name));
  }

  async #takeFree(stopping: AbortSignal): Promise<void> {
    let hasPart = false;
    for (const [name, { start, failures, notBeforeMs }] of this.#waiting) {
      if (stopping.aborted || this.#isStopping()) return;
      // Of a job in parts one at a time, so that others who look get some too.
      const isPart = /-\d+$/.test(name);
      if ((isPart && hasPart) || this.#clock.nowMs() < notBeforeMs || !(await this.#keeper.take(name))) continue;
      hasPart ||= isPart;
      try {
        await start();
      } catch (error) {
        const pauseMs = Math.min(START_AGAIN_MS.max, START_AGAIN_MS.first * 2 ** failures);
        this.#waiting.set(name, { start, failures: failures + 1, notBeforeMs: this.#clock.nowMs() + pauseMs });
        await this.#keeper.release(name);
        const next = `others may take it; trying again in ${pauseMs / 1000} s`;
        this.#log.warn({ job: name, err: error }, `starting a job failed; ${next}`);
        continue;
      }
      this.#waiting.delete(name);
      this.#log.info({ job: name }, 'this process does the job from now on');
    }
  }
}
