import type { Clock } from './clock.ts';
import type { Log } from './log.ts';
import { Loop } from './loop.ts';
import type { Database, Sql } from './postgres.ts';

const LEASE_SECONDS = 60;
const ATTEMPTS_MAX = 12;
const BATCH_SIZE = 20;
const POLL_MS = 1_000;
/** What is done is kept this long, for those who look into what happened. */
const KEPT_DAYS = 7;

export type OutboxHandler = (payload: never, id: bigint) => Promise<void>;

/** Written in the caller's own transaction; carried out after its commit, at least once. */
export async function enqueue(sql: Sql, topic: string, payload: unknown): Promise<void> {
  await sql.query(`insert into outbox (topic, payload) values ($1, $2)`, [topic, JSON.stringify(payload)]);
  await sql.query(`select pg_notify('outbox', $1)`, [topic]);
}

/** Many of one topic at once. */
export async function enqueueAll(sql: Sql, topic: string, payloads: readonly unknown[]): Promise<void> {
  if (payloads.length === 0) return;
  await sql.query(
    `with added as (insert into outbox (topic, payload) select $1, p::jsonb from unnest($2::text[]) p)
     select pg_notify('outbox', $1)`,
    [topic, payloads.map((payload) => JSON.stringify(payload))],
  );
}

type Due = { id: bigint; topic: string; payload: never; attempts: number };

/**
 * Carries out outbox rows. A row is leased by moving its `available_at` into the future, so a worker that dies leaves
 * it to be taken again; a handler that throws is retried with growing pauses. After the last attempt the row stays as
 * failed, with its failure, until an operator has it tried again. Each topic has a loop of its own: a mail server that
 * does not answer holds up nothing but mail.
 */
export class OutboxWorker {
  readonly #deps: { database: Database; clock: Clock; log: Log; handlers: Record<string, OutboxHandler> };
  readonly #loops: ReadonlyMap<string, Loop<number>>;
  readonly #listener: Loop;

  constructor(deps: { database: Database; clock: Clock; log: Log; handlers: Record<string, OutboxHandler> }) {
    this.#deps = deps;
    const { clock, log } = deps;
    const loop = (topic: string) =>
      new Loop({
        name: `outbox ${topic}`,
        work: () => this.#runBatch(topic),
        everyMs: (taken) => (taken === 0 ? POLL_MS : 0),
        retryMs: { first: POLL_MS, max: 10_000 },
        clock,
        log,
      });
    this.#loops = new Map(Object.keys(deps.handlers).map((topic) => [topic, loop(topic)]));
    // Without it the loops still poll.
    this.#listener = new Loop({
      name: 'outbox listener',
      work: (stopping) => this.#listen(stopping),
      everyMs: POLL_MS,
      clock,
      log,
    });
  }

  start(): void {
    for (const loop of this.#loops.values()) loop.start();
    this.#listener.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#listener, ...this.#loops.values()].map((loop) => loop.stop()));
  }

  async removeOld(): Promise<void> {
    await this.#deps.database.query(`delete from outbox where done_at < now() - make_interval(days => $1)`, [
      KEPT_DAYS,
    ]);
  }

  /** How many rows of each topic were given up. */
  async countFailed(): Promise<Map<string, number>> {
    const rows = await this.#deps.database.query<{ topic: string; count: bigint }>(
      `select topic, count(*) from outbox where failed_at is not null group by topic`,
    );
    return new Map(rows.map(({ topic, count }) => [topic, Number(count)]));
  }

  async #listen(stopping: AbortSignal): Promise<void> {
    const ended = Promise.withResolvers<void>();
    const unlisten = await this.#deps.database.listen(
      'outbox',
      (topic) => this.#loops.get(topic)?.wake(),
      ended.resolve,
    );
    if (stopping.aborted) unlisten();
    stopping.addEventListener('abort', unlisten, { once: true });
    await ended.promise;
  }

  async #runBatch(topic: string): Promise<number> {
    const rows = await this.#deps.database.query<Due>(
      `update outbox set attempts = attempts + 1, available_at = now() + make_interval(secs => $1)
       where id in (select id from outbox
                    where done_at is null and failed_at is null and available_at <= now() and topic = $3
                    order by available_at, id limit $2 for update skip locked)
       returning id, topic, payload, attempts`,
      [LEASE_SECONDS, BATCH_SIZE, topic],
    );
    await Promise.all(rows.map((row) => this.#runOne(row)));
    return rows.length;
  }

  async #runOne(row: Due): Promise<void> {
    const { database, handlers } = this.#deps;
    try {
      await handlers[row.topic]!(row.payload, row.id);
      await database.query(`update outbox set done_at = now(), failure = null where id = $1`, [row.id]);
    } catch (error) {
      await this.#recordFailure(row, error as Error);
    }
  }

  async #recordFailure({ id, topic, attempts }: Due, error: Error): Promise<void> {
    const { database, log } = this.#deps;
    const isLast = attempts >= ATTEMPTS_MAX;
    const retrySeconds = Math.min(300, 2 ** attempts);
    const next = isLast ? `given up after ${attempts} attempts and kept as failed` : `retrying in ${retrySeconds} s`;
    log.error({ topic, id: String(id), attempts, err: error }, `outbox row failed; ${next}`);
    await database.query(
      `update outbox set failure = $2, available_at = now() + make_interval(secs => $3),
              failed_at = case when $4 then now() end
       where id = $1`,
      [id, error.message, retrySeconds, isLast],
    );
  }
}
