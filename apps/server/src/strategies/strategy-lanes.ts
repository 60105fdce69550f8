import { randomUUID } from 'node:crypto';
import { requireLease, takeLease, type Lease } from '../platform/leases.ts';
import type { Database, Sql } from '../platform/postgres.ts';

/** Who goes first: people who leave, then the creator's next order, then people who join. */
const TURNS = ['exit', 'creator', 'join'] as const;
export type LaneTurn = (typeof TURNS)[number];

/** Lanes are owned in groups, so that the table of leases does not grow with the strategies. */
const SHARDS = 64;
const LEASE_MS = 30_000;

type Waiting = { name: string | null; start: () => Promise<void>; done: Promise<unknown> };
type Lane = { isRunning: boolean; waiting: Record<LaneTurn, Waiting[]> };

/**
 * One thing at a time per strategy: whatever its wallet trades goes through its lane, because the fractions that followers copy
 * are fractions of what the creator holds, and one wallet has one unfinished swap. Nobody who wants to leave waits behind the
 * creator's orders, and nobody who joins buys in between two of them.
 *
 * The queue is in this process; that this process may decide is a lease, which every decision asks for inside its own transaction.
 */
export class StrategyLanes {
  readonly #database: Database;
  readonly #owner = randomUUID();
  readonly #lanes = new Map<string, Lane>();
  readonly #leases = new Map<string, Promise<Lease>>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Runs the work when its turn comes. With a name, whoever asks for the same before it began shares one run. */
  run<T>(strategyId: string, turn: LaneTurn, work: () => Promise<T>, name: string | null = null): Promise<T> {
    const lane = this.#lanes.get(strategyId) ?? { isRunning: false, waiting: { exit: [], creator: [], join: [] } };
    this.#lanes.set(strategyId, lane);
    const known = name === null ? undefined : lane.waiting[turn].find((waiting) => waiting.name === name);
    if (known) return known.done as Promise<T>;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    lane.waiting[turn].push({ name, start: () => work().then(resolve, reject), done: promise });
    void this.#next(strategyId, lane);
    return promise;
  }

  /** Throws `LeaseLostError` where another process owns the lane by now; until the end of `sql` nobody takes it over. */
  async requireOwned(sql: Sql, strategyId: string): Promise<void> {
    await requireLease(sql, await this.#leaseOf(strategyId));
  }

  /** A second server is refused before it gets here, so whoever owned the lane before is gone. */
  #leaseOf(strategyId: string): Promise<Lease> {
    const name = `lane-${Number.parseInt(strategyId.slice(0, 8), 16) % SHARDS}`;
    const taken =
      this.#leases.get(name) ??
      takeLease(this.#database, name, this.#owner, { durationMs: LEASE_MS, isFormerOwnerGone: true }).then(
        (lease) => lease!,
      );
    this.#leases.set(name, taken);
    taken.catch(() => this.#leases.delete(name));
    return taken;
  }

  async #next(strategyId: string, lane: Lane): Promise<void> {
    if (lane.isRunning) return;
    const turn = TURNS.find((each) => lane.waiting[each].length > 0);
    if (turn === undefined) {
      this.#lanes.delete(strategyId);
      return;
    }
    lane.isRunning = true;
    await lane.waiting[turn].shift()!.start();
    lane.isRunning = false;
    void this.#next(strategyId, lane);
  }
}
