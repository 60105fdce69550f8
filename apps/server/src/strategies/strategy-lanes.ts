import { randomUUID } from 'node:crypto';
import { AppError } from '@hunter/contract/app-error';
import { subjectOf, type Bus } from '../platform/bus/bus.ts';
import type { Clock } from '../platform/clock.ts';
import type { LeaseKeeper } from '../platform/lease-keeper.ts';
import { requireLease, takeLease, type Lease } from '../platform/leases.ts';
import type { Database, Sql } from '../platform/postgres.ts';

/** Who goes first: people who leave, then the creator's next order, then people who join. */
const TURNS = ['exit', 'creator', 'join'] as const;
export type LaneTurn = (typeof TURNS)[number];

/** After so many others a turn comes first: a few follows that take crumbs out all day must not stop the creator and those who join. */
const PASSED_OVER_MAX = 4;

/** Lanes are owned in groups, so that the table of leases does not grow with the strategies. */
const SHARDS = 64;
const LEASE_MS = 30_000;
const WANTED = 'lane-wanted';
const ASK_AGAIN_MS = 100;
/** Longer than a creator's order holds a lane. */
const WAIT_MAX_MS = 120_000;

type Waiting = {
  name: string | null;
  start: () => Promise<void>;
  fail: (error: unknown) => void;
  done: Promise<unknown>;
};
type Lane = {
  isRunning: boolean;
  waiting: Record<LaneTurn, Waiting[]>;
  /** How many others had their turn since each began to wait. */
  passedOver: Record<LaneTurn, number>;
};

/** The group of a strategy's lane; the SQL expression below gives the same. */
export function laneShard(strategyId: string): number {
  return Number.parseInt(strategyId.slice(0, 8), 16) % SHARDS;
}

/** How lanes come to be this process's own. */
export interface LaneOwners {
  /** Settles once this process owns the group, or throws where it does not get it. */
  own(shard: number): Promise<void>;
  /** Work in the group begins and ends; while it goes on the group is not handed over. */
  begin(shard: number): void;
  end(shard: number): void;
  /** Throws `LeaseLostError` where another process owns the group by now. */
  require(sql: Sql, shard: number): Promise<void>;
  /** Groups whose strategies this process looks after; null for all. */
  mine(): readonly number[] | null;
}

/**
 * One thing at a time per strategy: whatever its wallet trades goes through its lane, because the fractions that followers copy
 * are fractions of what the creator holds, and one wallet has one unfinished swap. Nobody who wants to leave waits behind more than
 * one of the creator's orders, and nobody waits behind more than four turns of others.
 *
 * The queue is in this process; that this process may decide is a lease, which every decision asks for inside its own transaction.
 */
export class StrategyLanes {
  readonly #owners: LaneOwners;
  readonly #lanes = new Map<string, Lane>();

  constructor(owners: LaneOwners) {
    this.#owners = owners;
  }

  /** Runs the work when its turn comes. With a name, whoever asks for the same before it began shares one run. */
  run<T>(strategyId: string, turn: LaneTurn, work: () => Promise<T>, name: string | null = null): Promise<T> {
    const lane = this.#lanes.get(strategyId) ?? {
      isRunning: false,
      waiting: { exit: [], creator: [], join: [] },
      passedOver: { exit: 0, creator: 0, join: 0 },
    };
    this.#lanes.set(strategyId, lane);
    const known = name === null ? undefined : lane.waiting[turn].find((waiting) => waiting.name === name);
    if (known) return known.done as Promise<T>;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    lane.waiting[turn].push({ name, start: () => work().then(resolve, reject), fail: reject, done: promise });
    void this.#next(strategyId, lane);
    return promise;
  }

  /** How much work waits, of all lanes of this process. */
  get waiting(): Record<LaneTurn, number> {
    const counts = { exit: 0, creator: 0, join: 0 };
    for (const { waiting } of this.#lanes.values()) for (const turn of TURNS) counts[turn] += waiting[turn].length;
    return counts;
  }

  /** Groups of lanes that this process owns. */
  get groups(): number {
    return this.#owners.mine()?.length ?? SHARDS;
  }

  /** Throws `LeaseLostError` where another process owns the lane by now; until the end of `sql` nobody takes it over. */
  requireOwned(sql: Sql, strategyId: string): Promise<void> {
    return this.#owners.require(sql, laneShard(strategyId));
  }

  /** A condition on a column with a strategy's id: whether this process looks after it. `$n` is the array `mineValue`. */
  mineCondition(column: string, parameter: string): string {
    return `(${parameter}::int[] is null or ('x' || left(${column}::text, 8))::bit(32)::bigint % ${SHARDS} = any(${parameter}::int[]))`;
  }

  get mineValue(): readonly number[] | null {
    return this.#owners.mine();
  }

  async #next(strategyId: string, lane: Lane): Promise<void> {
    if (lane.isRunning) return;
    if (next(lane) === undefined) {
      this.#lanes.delete(strategyId);
      return;
    }
    lane.isRunning = true;
    const shard = laneShard(strategyId);
    const refusal = await this.#owners.own(shard).then(
      () => null,
      (error: unknown) => ({ error }),
    );
    // Chosen only now: who wants to leave may have come while the lane was not ours.
    const chosen = take(lane);
    if (refusal) chosen.fail(refusal.error);
    else {
      this.#owners.begin(shard);
      await chosen.start();
      this.#owners.end(shard);
    }
    lane.isRunning = false;
    void this.#next(strategyId, lane);
  }
}

function next({ waiting, passedOver }: Lane): LaneTurn | undefined {
  const turns = TURNS.filter((each) => waiting[each].length > 0);
  return turns.find((each) => passedOver[each] >= PASSED_OVER_MAX) ?? turns[0];
}

function take(lane: Lane): Waiting {
  const turn = next(lane)!;
  for (const each of TURNS) {
    lane.passedOver[each] = each === turn || lane.waiting[each].length === 0 ? 0 : lane.passedOver[each] + 1;
  }
  return lane.waiting[turn].shift()!;
}

/** One process per database: whoever owned a lane before is gone. */
export class OwnsAllLanes implements LaneOwners {
  readonly #database: Database;
  readonly #owner = randomUUID();
  readonly #leases = new Map<number, Promise<Lease>>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Taken before the work begins, whose transactions then wait for no second connection. */
  async own(shard: number): Promise<void> {
    await this.#leaseOf(shard);
  }

  begin(): void {}

  end(): void {}

  async require(sql: Sql, shard: number): Promise<void> {
    await requireLease(sql, await this.#leaseOf(shard));
  }

  mine(): null {
    return null;
  }

  #leaseOf(shard: number): Promise<Lease> {
    const taken =
      this.#leases.get(shard) ??
      takeLease(this.#database, leaseName(shard), this.#owner, { durationMs: LEASE_MS, isFormerOwnerGone: true }).then(
        (lease) => lease!,
      );
    this.#leases.set(shard, taken);
    taken.catch(() => this.#leases.delete(shard));
    return taken;
  }
}

const leaseName = (shard: number): string => `lane-${shard}`;

/**
 * Several processes: each looks after some groups. Whoever needs a lane of another's group asks for it, and gets it as soon as
 * nothing runs in the group.
 */
export class SharesLanes implements LaneOwners {
  readonly #keeper: LeaseKeeper;
  readonly #bus: Bus;
  readonly #clock: Clock;
  #onChange: (shard: number, isOwned: boolean) => void = () => {};
  readonly #running = new Map<number, number>();
  readonly #wanted = new Set<number>();
  readonly #stopHearing: () => void;

  constructor(deps: { keeper: LeaseKeeper; bus: Bus; clock: Clock }) {
    this.#keeper = deps.keeper;
    this.#bus = deps.bus;
    this.#clock = deps.clock;
    this.#stopHearing = deps.bus.subscribe(WANTED, (message) => {
      const { shard, by } = message as { shard: number; by: string };
      if (by === this.#keeper.owner || !this.#keeper.holds(leaseName(shard))) return;
      this.#wanted.add(shard);
      void this.#handOver(shard);
    });
  }

  stop(): void {
    this.#stopHearing();
  }

  /** Told which groups come and go. */
  onChange(listener: (shard: number, isOwned: boolean) => void): void {
    this.#onChange = listener;
  }

  mine(): readonly number[] {
    return Array.from({ length: SHARDS }, (_, shard) => shard).filter((shard) => this.#keeper.holds(leaseName(shard)));
  }

  async own(shard: number): Promise<void> {
    const untilMs = this.#clock.nowMs() + WAIT_MAX_MS;
    while (this.#wanted.has(shard) || !(await this.#take(shard))) {
      if (this.#clock.nowMs() > untilMs) throw new AppError('UNAVAILABLE');
      if (!this.#keeper.holds(leaseName(shard)))
        this.#bus.publish(subjectOf(WANTED), { shard, by: this.#keeper.owner });
      await this.#clock.pause(ASK_AGAIN_MS);
    }
  }

  begin(shard: number): void {
    this.#running.set(shard, (this.#running.get(shard) ?? 0) + 1);
  }

  end(shard: number): void {
    const left = this.#running.get(shard)! - 1;
    if (left > 0) this.#running.set(shard, left);
    else this.#running.delete(shard);
    void this.#handOver(shard);
  }

  require(sql: Sql, shard: number): Promise<void> {
    return this.#keeper.require(sql, leaseName(shard));
  }

  /** Takes free groups up to an equal share among `engines`, and lets go of what is above it. */
  async balance(engines: number): Promise<void> {
    const share = Math.ceil(SHARDS / Math.max(1, engines));
    let own = this.mine().length;
    for (let shard = 0; shard < SHARDS && own < share; shard += 1) {
      if (!this.#keeper.holds(leaseName(shard)) && (await this.#take(shard))) own += 1;
    }
    for (const shard of this.mine().slice(share)) {
      if (!this.#running.has(shard)) await this.#letGo(shard);
    }
  }

  async #take(shard: number): Promise<boolean> {
    if (this.#keeper.holds(leaseName(shard))) return true;
    if (!(await this.#keeper.take(leaseName(shard)))) return false;
    this.#onChange(shard, true);
    return true;
  }

  async #handOver(shard: number): Promise<void> {
    if (!this.#wanted.has(shard) || this.#running.has(shard)) return;
    await this.#letGo(shard);
    // A moment for the other to take it, before the next of ours asks for it back.
    await this.#clock.pause(2 * ASK_AGAIN_MS);
    this.#wanted.delete(shard);
  }

  async #letGo(shard: number): Promise<void> {
    this.#onChange(shard, false);
    await this.#keeper.release(leaseName(shard));
  }
}
