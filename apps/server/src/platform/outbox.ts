import { channel } from 'node:diagnostics_channel';
import { subjectOf, type Bus } from './bus/bus.ts';
import type { Clock } from './clock.ts';
import { Coalescer } from './coalescer.ts';
import type { Log } from './log.ts';
import { Loop } from './loop.ts';
import type { Database, Sql, Transaction } from './postgres.ts';

const LEASE_SECONDS = 60;
/** After so many attempts, some 25 minutes, a row counts as failing. It is tried on, every five minutes. */
const FAILING_ATTEMPTS = 12;
const PAUSE_SECONDS_MAX = 300;
/** What nobody took for so long has lost its sense to whom it was written. */
const MESSAGE_DAYS = 3;
const BATCH_SIZE = 20;
const POLL_MS = 1_000;
/** What is done is kept this long, for those who look into what happened. */
const KEPT_DAYS = 7;

/**
 * The topic of each row that this process has just committed, so that nobody waits for the next poll. It is told after the
 * commit and outside of the database: a notification inside the transaction makes all commits wait for each other.
 */
const added = channel('hunter:outbox');
const SUBJECT = 'outbox';

/** Tells the workers of other processes, too. */
export function tellOutboxOverBus(bus: Bus): () => void {
  const tell = (topic: unknown) => bus.publish(subjectOf(SUBJECT, topic as string), topic);
  added.subscribe(tell);
  return () => added.unsubscribe(tell);
}

export type OutboxHandler = (payload: never, id: bigint, ageSeconds: number) => Promise<void>;

/** Thrown by a handler that no further attempt can help: the row ends, with these words as its failure. */
export class MessageRefused extends Error {}

/** For messages to people. Work between areas, money and freezes above all, has no such end. */
export function endingAfterDays(handler: OutboxHandler): OutboxHandler {
  return async (payload, id, ageSeconds) => {
    try {
      await handler(payload, id, ageSeconds);
    } catch (error) {
      if (ageSeconds < MESSAGE_DAYS * 86_400) throw error;
      throw new MessageRefused(`nobody took it for ${MESSAGE_DAYS} days: ${(error as Error).message}`);
    }
  };
}

/** Written in the caller's own transaction; carried out after its commit, at least once. */
export async function enqueue(sql: Sql, topic: string, payload: unknown): Promise<void> {
  await sql.write(`insert into outbox (topic, payload) values ($1, $2)`, [topic, JSON.stringify(payload)]);
  tellAdded(sql, topic);
}

export type OutboxTopic = { readonly topic: string; readonly failed: number; readonly oldestSeconds: number };

/** Of each topic: how many rows fail again and again, and how old the oldest one is of all others still to be carried out. */
export function loadOutboxTopics(sql: Sql): Promise<OutboxTopic[]> {
  return sql.query<OutboxTopic>(
    `select topic, sum(failed)::int as failed, max(age) as "oldestSeconds"
     from (select topic, 1 as failed, 0 as age from outbox where failed_at is not null
           union all
           select topic, 0, extract(epoch from clock_timestamp() - created_at)::float8 from outbox
           where done_at is null and failed_at is null) as r
     group by topic`,
  );
}

/** Many of one topic at once. */
export async function enqueueAll(sql: Sql, topic: string, payloads: readonly unknown[]): Promise<void> {
  if (payloads.length === 0) return;
  await sql.write(`insert into outbox (topic, payload) select $1, p::jsonb from unnest($2::text[]) p`, [
    topic,
    payloads.map((payload) => JSON.stringify(payload)),
  ]);
  tellAdded(sql, topic);
}

function tellAdded(sql: Sql, topic: string): void {
  const tell = () => added.publish(topic);
  if ('afterCommit' in sql) (sql as Transaction).afterCommit(tell);
  else tell();
}

type OutboxDeps = {
  database: Database;
  clock: Clock;
  log: Log;
  handlers: Record<string, OutboxHandler>;
  /** Where rows that other processes add are told. */
  bus?: Bus;
  /** How often rows are looked for of which nobody was told. */
  pollMs?: number;
};

type Due = { id: bigint; topic: string; payload: never; attempts: number; ageSeconds: number };

/**
 * Carries out outbox rows. A row is leased by moving its `available_at` into the future, so a worker that dies leaves
 * it to be taken again; a handler that throws is retried with growing pauses, for as long as it takes: that the signer or
 * a database is unavailable undoes no freeze and no posting. What keeps failing is counted for operators. Only what its
 * receiver refuses ends undone. Each topic has a loop of its own: a mail server that does not answer holds up nothing but mail.
 */
export class OutboxWorker {
  readonly #deps: OutboxDeps;
  readonly #loops: ReadonlyMap<string, Loop<number>>;
  readonly #done: Coalescer<bigint, void>;
  #stopHearing: () => void = () => {};

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
    const { clock, log, pollMs = POLL_MS } = deps;
    const loop = (topic: string) =>
      new Loop({
        name: `outbox ${topic}`,
        work: () => this.#runBatch(topic),
        // Fewer than could be taken: what comes after them wakes the loop.
        everyMs: (taken) => (taken < BATCH_SIZE ? pollMs : 0),
        retryMs: { first: POLL_MS, max: 10_000 },
        clock,
        log,
      });
    this.#loops = new Map(Object.keys(deps.handlers).map((topic) => [topic, loop(topic)]));
    this.#done = new Coalescer((ids) => this.#markDone(ids), { batchMax: 200, parallelMax: 1 });
  }

  start(): void {
    const wake = (topic: unknown) => this.#loops.get(topic as string)?.wake();
    added.subscribe(wake);
    const stopBus = this.#deps.bus?.subscribe(`${SUBJECT}.>`, wake);
    this.#stopHearing = () => {
      added.unsubscribe(wake);
      stopBus?.();
    };
    for (const loop of this.#loops.values()) loop.start();
  }

  async stop(): Promise<void> {
    this.#stopHearing();
    await Promise.all([...this.#loops.values()].map((loop) => loop.stop()));
  }

  async removeOld(): Promise<void> {
    await this.#deps.database.write(`delete from outbox where done_at < now() - make_interval(days => $1)`, [
      KEPT_DAYS,
    ]);
  }

  async #runBatch(topic: string): Promise<number> {
    const rows = await this.#deps.database.write<Due>(
      `update outbox set attempts = attempts + 1, available_at = now() + make_interval(secs => $1)
       where id in (select id from outbox
                    where done_at is null and available_at <= now() and topic = $3
                    order by failed_at is not null, available_at, id limit $2 for update skip locked)
       returning id, topic, payload, attempts, extract(epoch from now() - created_at)::float8 as "ageSeconds"`,
      [LEASE_SECONDS, BATCH_SIZE, topic],
    );
    await Promise.all(rows.map((row) => this.#runOne(row)));
    return rows.length;
  }

  async #runOne(row: Due): Promise<void> {
    const { handlers } = this.#deps;
    try {
      await handlers[row.topic]!(row.payload, row.id, row.ageSeconds);
      await this.#done.submit(row.id);
    } catch (error) {
      await this.#recordFailure(row, error as Error);
    }
  }

  async #markDone(ids: readonly bigint[]): Promise<void[]> {
    await this.#deps.database.write(
      `update outbox set done_at = now(), failed_at = null, failure = null where id = any($1::bigint[])`,
      [ids],
    );
    return ids.map(() => undefined);
  }

  async #recordFailure({ id, topic, attempts }: Due, error: Error): Promise<void> {
    const { database, log } = this.#deps;
    const isRefused = error instanceof MessageRefused;
    const isFailing = !isRefused && attempts >= FAILING_ATTEMPTS;
    const retrySeconds = Math.min(PAUSE_SECONDS_MAX, 2 ** attempts);
    const next = isRefused ? 'refused, not tried again' : `retrying in ${retrySeconds} s`;
    log.error({ topic, id: String(id), attempts, err: error }, `outbox row failed; ${next}`);
    await database.write(
      `update outbox set failure = $2, available_at = now() + make_interval(secs => $3),
              failed_at = case when $4 then coalesce(failed_at, now()) end, done_at = case when $5 then now() end
       where id = $1`,
      // What another server answered may be in it, and a text of the database holds no NUL.
      [id, error.message.replaceAll('\0', ''), retrySeconds, isFailing, isRefused],
    );
  }
}
