import { decideGuard, type GuardReason } from '@hunter/domain/copying/follow-guard';
import { lamports, type Lamports } from '@hunter/domain/numbers/lamports';
import { worthAt, type Ratio } from '@hunter/domain/market/swap-maths';
import type { Address } from '@hunter/solana/address';
import { equityOf, loadHoldings, mintsOf, type Holdings } from './book-holdings.ts';
import type { Clock } from '../platform/clock.ts';
import { loadOnce } from '../platform/load-once.ts';
import { Loop } from '../platform/loop.ts';
import type { Sql } from '../platform/postgres.ts';
import { beginClosing, type FollowClosing } from './cancel-follow.ts';
import { loadLinkedWallets } from './copying/load-copyable-coin.ts';
import { settingsOf } from './follow-settings.ts';
import { selectFollow, type Follow } from './follow-store.ts';
import type { Strategies } from './strategies.ts';

type GuardedRow = Follow & { guard: GuardReason | null; guardSince: Date | null };

const SELECT_GUARDED = selectFollow(`f.guard, f.guard_since as "guardSince"`);

const PASS_MS = 1_000;
/** Values that changed without anybody telling of it are seen after about so long. */
const LOOK_ALL_MS = 15_000;

/**
 * Asks the stop loss and take profit of follows after the same changes as triggers: every stored trade and every change of a pool
 * that one of them would sell into, within a second. What they ask for is theirs: a value that stays for a minute.
 */
export class FollowGuard {
  readonly #deps: Strategies;
  readonly #clock: Clock;
  readonly #loop: Loop;
  /** Guarded follows by the tokens they hold, as of the last look at all of them. */
  #holders: ReadonlyMap<string, ReadonlySet<string>> = new Map();
  readonly #moved = new Set<string>();
  #lookedAtMs = -Infinity;

  constructor(deps: Strategies) {
    const { clock, log } = deps;
    this.#deps = deps;
    this.#clock = clock;
    this.#loop = new Loop({ name: 'follow guard pass', work: () => this.pass(), everyMs: PASS_MS, clock, log });
  }

  start(): void {
    this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** Called for every stored trade, so it does as good as nothing. */
  pricesMoved(mints: Iterable<Address>): void {
    for (const mint of mints) if (this.#holders.has(mint)) this.#moved.add(mint);
  }

  async pass(): Promise<void> {
    const nowMs = this.#clock.nowMs();
    const moved = [...this.#moved];
    this.#moved.clear();
    try {
      await this.#look(moved, nowMs);
    } catch (error) {
      for (const mint of moved) this.#moved.add(mint);
      throw error;
    }
  }

  async #look(moved: readonly string[], nowMs: number): Promise<void> {
    if (nowMs - this.#lookedAtMs >= LOOK_ALL_MS) {
      this.#holders = await guardFollows(this.#deps);
      this.#lookedAtMs = nowMs;
    } else if (moved.length > 0) {
      await guardFollows(this.#deps, [...new Set(moved.flatMap((mint) => [...(this.#holders.get(mint) ?? [])]))]);
    }
  }
}

/**
 * Asks of follows with a stop loss or a take profit, all or those named, whether their value has reached it, and begins to close
 * those where it stayed there. Those of one strategy leave together, in one round at one price: in a thin pool the second of two
 * rounds would pay for the first. What was reached is kept in the database, so that the minute survives a restart.
 */
export async function guardFollows(
  deps: Strategies,
  ids: readonly string[] | null = null,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const follows = await deps.database.query<GuardedRow>(
    `${SELECT_GUARDED} where f.status = 'active' and (f.stop_loss_bps is not null or f.take_profit_bps is not null)
       and ($2::uuid[] is null or f.id = any($2::uuid[])) and ${deps.lanes.mineCondition('f.strategy_id', '$1')}`,
    [deps.lanes.mineValue, ids],
  );
  if (follows.length === 0) return new Map();
  const bookIds = follows.map(({ bookId }) => bookId);
  const holdings = await loadHoldings(deps.database, bookIds);
  const pools = await deps.pools.load(mintsOf(holdings.values()));
  const nowMs = deps.clock.nowMs();
  const references = new References(deps);
  const leaving: FollowClosing[] = [];
  const reached: Reached[] = [];
  const holders = new Map<string, Set<string>>();
  for (const follow of follows) {
    const book = holdings.get(follow.bookId)!;
    for (const mint of book.tokens.keys()) holders.set(mint, (holders.get(mint) ?? new Set()).add(follow.id));
    const liquidationLamports = equityOf(book, pools);
    const { stopLoss, takeProfit } = settingsOf(follow);
    const guarded = {
      stopLoss,
      takeProfit,
      investedLamports: lamports(follow.amountLamports),
      returnedLamports: lamports(follow.returnedLamports ?? 0n),
      liquidationLamports,
      reached: follow.guard === null ? null : { reason: follow.guard, sinceMs: follow.guardSince!.getTime() },
    };
    // The reference costs a read per strategy and coin, so it is asked for only where the value itself may have got there.
    const isNear = decideGuard({ ...guarded, referenceLamports: liquidationLamports }, nowMs).kind !== 'clear';
    const referenceLamports = isNear ? await references.valueOf(follow.strategyId, book) : liquidationLamports;
    const decision = decideGuard({ ...guarded, referenceLamports }, nowMs);
    if (decision.kind === 'close') {
      deps.log.info({ follow: follow.id, guard: decision.reason }, 'follow guard reached; closing the follow');
      leaving.push({ follow, by: decision.reason });
      continue;
    }
    const reason = decision.kind === 'waiting' ? decision.reason : null;
    const since = decision.kind === 'waiting' ? new Date(decision.sinceMs) : null;
    if (reason !== follow.guard) reached.push({ followId: follow.id, reason, since });
  }
  await saveReached(deps.database, reached);
  for (const [strategyId, closings] of Map.groupBy(leaving, ({ follow }) => follow.strategyId)) {
    await beginClosing(deps, strategyId, closings);
  }
  return holders;
}

type Reached = { followId: string; reason: GuardReason | null; since: Date | null };

async function saveReached(sql: Sql, reached: readonly Reached[]): Promise<void> {
  if (reached.length === 0) return;
  await sql.write(
    `update follow f set guard = v.reason, guard_since = v.since
     from unnest($1::uuid[], $2::text[], $3::timestamptz[]) v (id, reason, since) where f.id = v.id and f.status = 'active'`,
    [reached.map(({ followId }) => followId), reached.map(({ reason }) => reason), reached.map(({ since }) => since)],
  );
}

/** Reference prices as the follows of one strategy share them: after a fall all of them ask at once. */
class References {
  readonly #deps: Strategies;
  readonly #linked = new Map<string, Promise<ReadonlySet<string>>>();
  readonly #prices = new Map<string, Promise<Ratio | null>>();

  constructor(deps: Strategies) {
    this.#deps = deps;
  }

  /** SOL and deposits as they are, coins at their reference prices; null where one of them has none. */
  async valueOf(strategyId: string, book: Holdings): Promise<Lamports | null> {
    let value: bigint = book.lamports + book.rentLamports;
    for (const [mint, tokens] of book.tokens) {
      const price = await this.#priceOf(strategyId, mint);
      if (price === null) return null;
      value += worthAt(tokens, price);
    }
    return lamports(value);
  }

  #priceOf(strategyId: string, mint: Address): Promise<Ratio | null> {
    const read = async (): Promise<Ratio | null> => this.#deps.referencePrice(mint, await this.#linkedOf(strategyId));
    return loadOnce(this.#prices, `${strategyId} ${mint}`, read);
  }

  #linkedOf(strategyId: string): Promise<ReadonlySet<string>> {
    const read = async (): Promise<ReadonlySet<string>> =>
      (await loadLinkedWallets(this.#deps.database, strategyId)).linked;
    return loadOnce(this.#linked, strategyId, read);
  }
}
