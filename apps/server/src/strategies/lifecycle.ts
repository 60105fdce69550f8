import { waitAtMost } from '../platform/clock.ts';
import { Loop } from '../platform/loop.ts';
import { closeFollow } from './cancel-follow.ts';
import { resumeRounds } from './copying/resume-rounds.ts';
import { fillNameKeys, publishStrategy } from './create-strategy.ts';
import { continueEnding, endStrategy } from './end-strategy.ts';
import { SELECT_FOLLOW, type Follow } from './follow-store.ts';
import { continueOpening } from './follow-strategy.ts';
import { guardFollows } from './guard-follows.ts';
import { markStrategies } from './performance/mark-strategies.ts';
import type { Strategies } from './strategies.ts';
import { loadStrategyById } from './strategy-store.ts';

const PASS_MS = 1_000;
const MARK_EVERY_MS = 15_000;
const TIDY_EVERY_MS = 3_600_000;
/** Younger than this the chart shows every minute; older points are one per hour. */
const EVERY_MINUTE_DAYS = 8;
const BATCH = 200;
const PARALLEL = 8;

/**
 * Keeps strategies and follows moving: ends those whose time is over, carries on what a crash or a slow chain left open, and values
 * every strategy four times a minute. It reads everything from the database, so it makes no difference who left what open.
 */
export class StrategyLifecycle {
  readonly #parts: Strategies;
  readonly #loop: Loop;
  #markedAtMs = 0;
  #tidiedAtMs = 0;

  constructor(parts: Strategies) {
    this.#parts = parts;
    const { clock, log } = parts;
    this.#loop = new Loop({ name: 'strategy pass', work: () => this.pass(), everyMs: PASS_MS, clock, log });
  }

  start(): void {
    this.#loop.start();
  }

  async stop(): Promise<void> {
    await this.#loop.stop();
    // What takes longer is found again by the next process.
    await waitAtMost(this.#parts.clock, 5_000, this.#parts.work.idle());
  }

  /** One look at everything that is due. */
  async pass(): Promise<void> {
    await resumeRounds(this.#parts);
    await this.#resumeStrategies();
    await this.#resumeFollows();
    const nowMs = this.#parts.clock.nowMs();
    const { due } = this.#parts;
    if (nowMs - this.#markedAtMs < MARK_EVERY_MS) {
      const ids = [...due];
      due.clear();
      return markStrategies(this.#parts, ids, 'routine');
    }
    due.clear();
    this.#markedAtMs = nowMs;
    await markAll(this.#parts);
    await guardFollows(this.#parts);
    if (nowMs - this.#tidiedAtMs < TIDY_EVERY_MS) return;
    this.#tidiedAtMs = nowMs;
    await fillNameKeys(this.#parts);
    await thinPoints(this.#parts);
  }

  async #resumeStrategies(): Promise<void> {
    const { database, clock } = this.#parts;
    const rows = await database.query<{ id: string; status: string }>(
      `select id, status from strategy where status in ('publishing', 'ending')
       union all select id, 'expired' from strategy where status = 'running' and ends_at <= $1 limit $2`,
      [new Date(clock.nowMs()), BATCH],
    );
    await this.#each(rows, async ({ id, status }) => {
      if (status === 'publishing') await publishStrategy(this.#parts, await loadStrategyById(database, id));
      else if (status === 'ending') await continueEnding(this.#parts, id);
      else await endStrategy(this.#parts, id);
    });
  }

  async #resumeFollows(): Promise<void> {
    const follows = await this.#parts.database.query<Follow>(
      `${SELECT_FOLLOW} where f.status in ('opening', 'closing') and s.status <> 'ending' limit $1`,
      [BATCH],
    );
    await this.#each(follows, (follow) =>
      follow.status === 'opening' ? continueOpening(this.#parts, follow) : closeFollow(this.#parts, follow.id),
    );
  }

  /** One that fails does not keep the others from going on. */
  async #each<Row>(rows: readonly Row[], work: (row: Row) => Promise<void>): Promise<void> {
    const queue = rows.values();
    const worker = async (): Promise<void> => {
      for (const row of queue) {
        await work(row).catch((error: Error) =>
          this.#parts.log.warn({ error: error.message }, 'a strategy or follow is taken up again later'),
        );
      }
    };
    await Promise.all(Array.from({ length: Math.min(PARALLEL, rows.length) }, worker));
  }
}

/** Keeps the last point of each hour of the past. Trades and flows keep their NAV in the record. */
async function thinPoints(parts: Strategies): Promise<void> {
  await parts.database.query(
    `delete from nav_point p where p.at < $1 and exists (
       select 1 from nav_point q where q.strategy_id = p.strategy_id and (q.at, q.id) > (p.at, p.id)
         and q.at < date_trunc('hour', p.at) + interval '1 hour')`,
    [new Date(parts.clock.nowMs() - EVERY_MINUTE_DAYS * 86_400_000)],
  );
}

export async function markAll(parts: Strategies): Promise<void> {
  const rows = await parts.database.query<{ id: string }>(`select id from strategy where status <> 'ended'`);
  await markStrategies(
    parts,
    rows.map((row) => row.id),
    'routine',
  );
}
