import { waitAtMost } from '../platform/clock.ts';
import { Loop } from '../platform/loop.ts';
import { loadCashOf } from '../ledger/balances.ts';
import { SOL } from '../ledger/journal.ts';
import { loadWalletsWithUnclaimed } from '../ledger/wallet-balance.ts';
import { WALLET_MINIMUM_LAMPORTS } from '../ledger/wallet-minimum.ts';
import { closeFollows } from './cancel-follow.ts';
import { joinFollows } from './copying/join-follows.ts';
import { CLOSING_FEES_LAMPORTS, RETURN_FEE_LAMPORTS } from './costs.ts';
import { fillNameKeys, publishStrategy } from './create-strategy.ts';
import { endEarlierStrategies } from './end-earlier.ts';
import { continueEnding, endStrategy, returnCapital } from './end-strategy.ts';
import { SELECT_FOLLOW, type Follow } from './follow-store.ts';
import { continueOpening } from './follow-strategy.ts';
import { markStrategies } from './performance/mark-strategies.ts';
import { thinPoints } from './performance/thin-points.ts';
import { returnUnclaimed, UNCLAIMED_WAIT_MS } from './return-unclaimed.ts';
import { endOldPaperFollows } from './simulator/paper-follows.ts';
import { dropOldPoolMarks, savePoolMarks } from './simulator/pool-marks.ts';
import type { Strategies } from './strategies.ts';
import { loadStrategyById } from './strategy-store.ts';

const PASS_MS = 1_000;
const MARK_EVERY_MS = 15_000;
const TIDY_EVERY_MS = 3_600_000;
/** How long an ended strategy's book is looked at with every routine for what comes later; from then on once an hour. */
const REST_DAYS = 3;
/** What may stay in it: keeping its wallet alive, closing its token accounts, and less than the fee of sending it. */
const KEPT_LAMPORTS = WALLET_MINIMUM_LAMPORTS + CLOSING_FEES_LAMPORTS + RETURN_FEE_LAMPORTS;
const BATCH = 200;
const PARALLEL = 8;

/**
 * Keeps strategies and follows moving: ends those whose time is over, carries on what a crash or a slow chain left open, and values,
 * four times a minute, the strategies whose coins were traded. It reads everything from the database, so it makes no difference who
 * left what open.
 */
export class StrategyLifecycle {
  readonly #deps: Strategies;
  readonly #loop: Loop;
  #markedAtMs = 0;
  #tidiedAtMs = 0;
  #thinnedAtMs: number | null = null;

  constructor(deps: Strategies) {
    this.#deps = deps;
    const { clock, log } = deps;
    this.#loop = new Loop({ name: 'strategy pass', work: () => this.pass(), everyMs: PASS_MS, clock, log });
  }

  start(): void {
    this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    // What takes longer is found again by the next process.
    await waitAtMost(this.#deps.clock, 5_000, this.#deps.work.idle());
  }

  /** One look at everything that is due. */
  async pass(): Promise<void> {
    // Whoever looks after the first lanes does what is not of one lane.
    if (this.#deps.lanes.mineValue?.includes(0) ?? true) await endEarlierStrategies(this.#deps);
    await this.#resumeStrategies();
    await this.#resumeFollows();
    const nowMs = this.#deps.clock.nowMs();
    const { due } = this.#deps;
    const isRoutine = nowMs - this.#markedAtMs >= MARK_EVERY_MS;
    const ids = new Set(due);
    due.clear();
    if (isRoutine) this.#markedAtMs = nowMs;
    try {
      await (isRoutine ? markNeeded(this.#deps, ids) : markStrategies(this.#deps, [...ids], 'routine'));
    } catch (error) {
      // With the next routine, not at once: one that cannot be marked must not hold up every pass.
      this.#deps.marks.forget(ids);
      throw error;
    }
    if (!isRoutine) return;
    await this.#returnRests();
    if (nowMs - this.#tidiedAtMs < TIDY_EVERY_MS) return;
    this.#tidiedAtMs = nowMs;
    await fillNameKeys(this.#deps);
    await thinPoints(this.#deps.database, nowMs, this.#thinnedAtMs);
    this.#thinnedAtMs = nowMs;
    await endOldPaperFollows(this.#deps);
    await dropOldPoolMarks(this.#deps.database, new Date(nowMs));
    await this.#returnLateRests();
    await this.#returnUnclaimed();
  }

  async #resumeStrategies(): Promise<void> {
    const { database, clock, lanes } = this.#deps;
    const rows = await database.query<{ id: string; status: string }>(
      `select id, status from strategy
       where status in ('publishing', 'ending') and not is_earlier and ${lanes.mineCondition('id', '$3')}
       union all select id, 'expired' from strategy
       where status = 'running' and ends_at <= $1 and ${lanes.mineCondition('id', '$3')} limit $2`,
      [new Date(clock.nowMs()), BATCH, lanes.mineValue],
    );
    await this.#each(rows, async ({ id, status }) => {
      if (status === 'publishing') await publishStrategy(this.#deps, await loadStrategyById(database, id));
      else if (status === 'ending') await continueEnding(this.#deps, id);
      else await endStrategy(this.#deps, id);
    });
  }

  async #resumeFollows(): Promise<void> {
    const { database, clock, lanes } = this.#deps;
    const opening = await database.query<Follow>(
      `${SELECT_FOLLOW} where f.status = 'opening' and f.join_at is null and ${lanes.mineCondition('f.strategy_id', '$2')} limit $1`,
      [BATCH, lanes.mineValue],
    );
    await this.#each(opening, (follow) => continueOpening(this.#deps, follow));
    // What nobody buys stays in its follow for good: until its next hour it takes nobody's place here.
    const rows = await database.query<{ id: string; isClosing: boolean }>(
      `select distinct s.id, f.status = 'closing' as "isClosing" from follow f join strategy s on s.id = f.strategy_id
       where not s.is_earlier and ${lanes.mineCondition('s.id', '$3')} and ((f.status = 'closing' and s.status in ('running', 'ended')
           and (f.close_not_before is null or f.close_not_before <= $1 or f.return_id is not null))
         or (s.status = 'running' and f.join_at <= $1 and (f.join_until > $1 or f.status = 'opening'))) limit $2`,
      [new Date(clock.nowMs()), BATCH, lanes.mineValue],
    );
    await this.#each(rows, ({ id, isClosing }) =>
      isClosing ? closeFollows(this.#deps, id) : joinFollows(this.#deps, id),
    );
  }

  /** What came to the books of ended strategies after their end, such as deposits of token accounts. */
  async #returnRests(): Promise<void> {
    const { database, clock, lanes } = this.#deps;
    const rows = await database.query<{ id: string }>(
      `select id from strategy where status = 'ended' and not is_earlier and ended_at > $1 and ${lanes.mineCondition('id', '$2')}`,
      [new Date(clock.nowMs() - REST_DAYS * 86_400_000), lanes.mineValue],
    );
    await this.#each(rows, ({ id }) => returnCapital(this.#deps, id));
  }

  /** A large gain leaves in daily parts, for as many days as it takes. */
  async #returnLateRests(): Promise<void> {
    const { database, clock, lanes } = this.#deps;
    const rows = await database.query<{ id: string; bookId: string }>(
      `select id, book_id as "bookId" from strategy
       where status = 'ended' and not is_earlier and ended_at <= $1 and ${lanes.mineCondition('id', '$2')}`,
      [new Date(clock.nowMs() - REST_DAYS * 86_400_000), lanes.mineValue],
    );
    const bookIds = rows.map(({ bookId }) => bookId);
    const cash = await loadCashOf(database, bookIds, SOL);
    const left = rows.filter(({ bookId }) => (cash.get(bookId) ?? 0n) > KEPT_LAMPORTS);
    await this.#each(left, ({ id }) => returnCapital(this.#deps, id));
  }

  async #returnUnclaimed(): Promise<void> {
    const { database, clock, lanes } = this.#deps;
    const rows = await database.query<{ id: string }>(
      `select id from strategy where wallet_id = any($1::uuid[]) and status = 'ended' and not is_earlier and ended_at <= $2
         and ${lanes.mineCondition('id', '$3')}`,
      [
        await loadWalletsWithUnclaimed(database, RETURN_FEE_LAMPORTS),
        new Date(clock.nowMs() - UNCLAIMED_WAIT_MS),
        lanes.mineValue,
      ],
    );
    await this.#each(rows, ({ id }) => returnUnclaimed(this.#deps, id));
  }

  /** One that fails does not keep the others from going on. */
  async #each<Row>(rows: readonly Row[], work: (row: Row) => Promise<void>): Promise<void> {
    const queue = rows.values();
    const worker = async (): Promise<void> => {
      for (const row of queue) {
        await work(row).catch((error: unknown) =>
          this.#deps.log.warn({ err: error }, 'carrying on a strategy or follow failed; retrying with the next pass'),
        );
      }
    };
    await Promise.all(Array.from({ length: Math.min(PARALLEL, rows.length) }, worker));
  }
}

/** Those whose value may have changed since their last mark. */
async function markNeeded(deps: Strategies, due: ReadonlySet<string>): Promise<void> {
  const { database, lanes, clock, marks } = deps;
  const rows = await database.query<{ id: string }>(
    `select id from strategy where status <> 'ended' and ${lanes.mineCondition('id', '$1')}`,
    [lanes.mineValue],
  );
  const running = rows.map((row) => row.id);
  await marks.markNeeded(running, clock.nowMs(), (needed) =>
    markStrategies(deps, [...new Set([...needed, ...due])], 'routine'),
  );
  // Of coins that nobody trades too: a simulated follow may begin at any minute.
  await savePoolMarks(database, await deps.pools.load(marks.mints()), new Date(clock.nowMs()));
}
