import type { Database, Sql } from './postgres.ts';
import type { Log } from './log.ts';

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

/**
 * Carries out outbox rows. A row is leased by moving its `available_at` into the future, so a worker that dies leaves
 * it to be taken again; a handler that throws is retried with growing pauses and given up after a limit, with its
 * failure kept in the row. Each topic has a loop of its own: a mail server that does not answer holds up nothing but mail.
 */
export class OutboxWorker {
  readonly #database: Database;
  readonly #log: Log;
  readonly #handlers: Record<string, OutboxHandler>;
  /** What ends the pause of a topic's loop. */
  readonly #wakes = new Map<string, () => void>();
  #stopped = false;
  #running: Promise<unknown> = Promise.resolve();
  #unlisten: () => void = () => {};

  constructor(database: Database, log: Log, handlers: Record<string, OutboxHandler>) {
    this.#database = database;
    this.#log = log;
    this.#handlers = handlers;
  }

  start(): void {
    this.#running = Promise.all(Object.keys(this.#handlers).map((topic) => this.#loop(topic)));
    void this.#listen();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    for (const wake of this.#wakes.values()) wake();
    await this.#running;
    this.#unlisten();
  }

  async #listen(): Promise<void> {
    while (!this.#stopped) {
      try {
        const ended = Promise.withResolvers<void>();
        const onNotice = (topic: string) => this.#wakes.get(topic)?.();
        this.#unlisten = await this.#database.listen('outbox', onNotice, ended.resolve);
        await ended.promise;
      } catch (error) {
        this.#log.warn({ error: (error as Error).message }, 'the outbox cannot listen; it polls until it can');
        await this.#pause('listen', POLL_MS);
      }
    }
  }

  async removeOld(): Promise<void> {
    await this.#database.query(`delete from outbox where done_at < now() - make_interval(days => $1)`, [KEPT_DAYS]);
  }

  async #loop(topic: string): Promise<void> {
    while (!this.#stopped) {
      try {
        const taken = await this.#runBatch(topic);
        if (taken === 0) await this.#pause(topic, POLL_MS);
      } catch (error) {
        this.#log.error({ error: (error as Error).message, topic }, 'the outbox failed and goes on');
        await this.#pause(topic, POLL_MS);
      }
    }
  }

  async #runBatch(topic: string): Promise<number> {
    const rows = await this.#database.query<{ id: bigint; topic: string; payload: never; attempts: number }>(
      `update outbox set attempts = attempts + 1, available_at = now() + make_interval(secs => $1)
       where id in (select id from outbox where done_at is null and available_at <= now() and topic = $3
                    order by available_at, id limit $2 for update skip locked)
       returning id, topic, payload, attempts`,
      [LEASE_SECONDS, BATCH_SIZE, topic],
    );
    await Promise.all(rows.map((row) => this.#runOne(row)));
    return rows.length;
  }

  async #runOne(row: { id: bigint; topic: string; payload: never; attempts: number }): Promise<void> {
    const handler = this.#handlers[row.topic];
    if (!handler) return;
    try {
      await handler(row.payload, row.id);
      await this.#database.query(`update outbox set done_at = now(), failure = null where id = $1`, [row.id]);
    } catch (error) {
      const failure = (error as Error).message;
      const givenUp = row.attempts >= ATTEMPTS_MAX;
      this.#log.error({ topic: row.topic, id: String(row.id), failure, givenUp }, 'an outbox row failed');
      await this.#database.query(
        `update outbox set failure = $2, available_at = now() + make_interval(secs => $3),
                done_at = case when $4 then now() else null end
         where id = $1`,
        [row.id, failure, Math.min(300, 2 ** row.attempts), givenUp],
      );
    }
  }

  #pause(sleeper: string, ms: number): Promise<void> {
    if (this.#stopped) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wakes.set(sleeper, () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}
