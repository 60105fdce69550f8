import type { Database, Sql } from './postgres.ts';
import type { Log } from './log.ts';

const LEASE_SECONDS = 60;
const ATTEMPTS_MAX = 12;
const BATCH_SIZE = 20;
const POLL_MS = 1_000;

export type OutboxHandler = (payload: never, id: bigint) => Promise<void>;

/** Written in the caller's own transaction; carried out after its commit, at least once. */
export async function enqueue(sql: Sql, topic: string, payload: unknown): Promise<void> {
  await sql.query(`insert into outbox (topic, payload) values ($1, $2)`, [topic, JSON.stringify(payload)]);
  await sql.query(`select pg_notify('outbox', $1)`, [topic]);
}

/**
 * Carries out outbox rows. A row is leased by moving its `available_at` into the future, so a worker that dies leaves
 * it to be taken again; a handler that throws is retried with growing pauses and given up after a limit, with its
 * failure kept in the row.
 */
export class OutboxWorker {
  readonly #database: Database;
  readonly #log: Log;
  readonly #handlers: Record<string, OutboxHandler>;
  #stopped = false;
  #wake: () => void = () => {};
  #running: Promise<void> = Promise.resolve();
  #unlisten: () => void = () => {};

  constructor(database: Database, log: Log, handlers: Record<string, OutboxHandler>) {
    this.#database = database;
    this.#log = log;
    this.#handlers = handlers;
  }

  start(): void {
    this.#running = this.#loop();
    void this.#listen();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#wake();
    await this.#running;
    this.#unlisten();
  }

  async #listen(): Promise<void> {
    while (!this.#stopped) {
      try {
        const ended = Promise.withResolvers<void>();
        this.#unlisten = await this.#database.listen('outbox', () => this.#wake(), ended.resolve);
        await ended.promise;
      } catch (error) {
        this.#log.warn({ error: (error as Error).message }, 'the outbox cannot listen; it polls until it can');
        await this.#pause(POLL_MS);
      }
    }
  }

  async #loop(): Promise<void> {
    while (!this.#stopped) {
      try {
        const taken = await this.#runBatch();
        if (taken === 0) await this.#pause(POLL_MS);
      } catch (error) {
        this.#log.error({ error: (error as Error).message }, 'the outbox failed and goes on');
        await this.#pause(POLL_MS);
      }
    }
  }

  async #runBatch(): Promise<number> {
    const rows = await this.#database.query<{ id: bigint; topic: string; payload: never; attempts: number }>(
      `update outbox set attempts = attempts + 1, available_at = now() + make_interval(secs => $1)
       where id in (select id from outbox where done_at is null and available_at <= now() and topic = any($3)
                    order by available_at, id limit $2 for update skip locked)
       returning id, topic, payload, attempts`,
      [LEASE_SECONDS, BATCH_SIZE, Object.keys(this.#handlers)],
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

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
