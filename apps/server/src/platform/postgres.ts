import { channel } from 'node:diagnostics_channel';
import type { Writable } from 'node:stream';
import pg from 'pg';
import { stopwatch, systemClock } from './clock.ts';
import type { Log } from './log.ts';

// int8 and numeric arrive as text from the driver. Money must never pass through a double, so both become bigint;
// a numeric with a fraction stays text.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => BigInt(text));
pg.types.setTypeParser(pg.types.builtins.NUMERIC, (text) => (text.includes('.') ? text : BigInt(text)));

/** How long each transaction waited for a connection, in milliseconds. */
export const connectionWaits = channel('hunter:connection-wait');

export type Row = Record<string, unknown>;

/**
 * What use cases run their SQL on: the pool, or one transaction. A row type may name `Lamports`, `BaseUnits` or `Address`: for rows it is
 * the door to them. What is stored came through a checked one, and constraints keep what books hold from falling below zero. What may be
 * negative is a plain bigint there as anywhere.
 */
export interface Sql {
  /** Reads, so that it may be asked again when its answer is lost. A statement that changes rows is refused here. */
  query<R extends Row = Row>(text: string, values?: readonly unknown[]): Promise<R[]>;
  /** Changes rows: made once, also where its answer is lost. */
  write<R extends Row = Row>(text: string, values?: readonly unknown[]): Promise<R[]>;
}

export interface Transaction extends Sql {
  /** Runs after the commit has succeeded; for telling live listeners, never for anything that must not be lost. */
  afterCommit(action: () => void): void;
}

/** Serialisation failure and deadlock: the whole transaction may be run again. */
const RETRYABLE = new Set(['40001', '40P01']);
/** A server that is stopping, starting or gone: likewise, once it is back. */
const UNAVAILABLE = new Set([
  '57P01',
  '57P02',
  '57P03',
  '08006',
  '08003',
  '08001',
  '08000',
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  // Its machine, or the way there.
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
]);
/** There is no connecting to it, unlike where a connection broke. */
const AWAY = new Set(['57P03', 'ECONNREFUSED']);
const KEEP_ALIVE_MS = 10_000;
const ATTEMPTS_MAX = 8;
/** A crashed server recovers within seconds; whoever asked is still there then. */
const UNAVAILABLE_PATIENCE_MS = 8_000;
const BACK_POLL_MS = 200;
const COMMIT_POLL_MS = 50;
type Unsure = { id: string; error: Error };
type Committed<T> = { value: T; afterCommit: readonly (() => void)[]; unsure: Unsure | null };

/** A statement that changes no row. */
const READS =
  /^[\s(]*(?:vacuum\b|select\b|with\b(?![\s\S]*\b(?:insert into|delete from|merge into|(?<!for |key )update)\b))/i;

/** Null for one that has written nothing. */
const TRANSACTION_ID = `select pg_current_xact_id_if_assigned()::text as id`;

/** Throws where the transaction must not be made. */
type Fence = (sql: Sql) => Promise<void>;

export class Database implements Sql {
  readonly #pool: pg.Pool;
  readonly #log: Log;
  readonly #fence: Fence | null;
  /** False where everything is thrown away with a lost answer, as in a past that is being made. */
  readonly #asksAboutCommits: boolean;
  /** Each distinct text is prepared once per connection under a name of its own. */
  readonly #names: Map<string, string>;
  /** The texts that `query` has been asked and let through. */
  readonly #reads: Set<string>;
  /** Shared with the same connections behind a fence. `back` is there while the database is away, and ends when it is back. */
  readonly #state: { underWay: number; back: Promise<void> | null };

  constructor(
    url: string,
    log: Log,
    options: {
      maxConnections?: number;
      lockTimeoutMs?: number;
      asksAboutCommits?: boolean;
      fenced?: { of: Database; by: Fence };
    } = {},
  ) {
    this.#log = log;
    this.#asksAboutCommits = options.fenced ? options.fenced.of.#asksAboutCommits : (options.asksAboutCommits ?? true);
    this.#fence = options.fenced?.by ?? null;
    this.#names = options.fenced ? options.fenced.of.#names : new Map();
    this.#reads = options.fenced ? options.fenced.of.#reads : new Set();
    this.#state = options.fenced ? options.fenced.of.#state : { underWay: 0, back: null };
    if (options.fenced) {
      this.#pool = options.fenced.of.#pool;
      return;
    }
    this.#pool = new pg.Pool({
      connectionString: url,
      max: options.maxConnections ?? 20,
      connectionTimeoutMillis: 10_000,
      idleTimeoutMillis: 30_000,
      // A machine that is gone says nothing: without asking, whoever waits for its answer keeps the connection for ever.
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      ...(options.lockTimeoutMs === undefined ? {} : { lock_timeout: options.lockTimeoutMs }),
      allowExitOnIdle: true,
      // Statements that do not wait for each other travel together.
      pipeline: true,
    });
    this.#pool.on('error', (error) => this.#log.warn({ error: error.message }, 'an idle database connection failed'));
    this.#pool.on('connect', (client) => {
      client.on('error', (error) => this.#log.warn({ error: error.message }, 'a database connection failed'));
    });
  }

  /** The same connections; but whatever is written is written in a transaction that `fence` lets through. */
  fenced(fence: Fence): Database {
    return new Database('', this.#log, { fenced: { of: this, by: fence } });
  }

  /** Statements and transactions that have begun and are not over. */
  get underWay(): number {
    return this.#state.underWay;
  }

  /** Connections by what they do, and how many callers wait for one. */
  get connections(): { busy: number; idle: number; waiting: number } {
    const { totalCount, idleCount, waitingCount } = this.#pool;
    return { busy: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
  }

  async query<R extends Row = Row>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    this.#mustRead(text);
    return this.#retrying(async () => {
      const result = await this.#pool.query<R>(this.#prepared(text, values));
      return result.rows;
    });
  }

  /** In a transaction of its own, so that one whose answer is lost is asked about and never made twice. */
  async write<R extends Row = Row>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    return this.transaction((sql) => sql.write<R>(text, values));
  }

  /**
   * Runs `work` in one transaction and retries it as a whole when the database asks for that, so `work` must have no
   * effect outside of its transaction. A commit that the server turned into a rollback is an error, never a success; one
   * whose answer was lost is asked about, and not made again where it was made.
   */
  async transaction<T>(work: (sql: Transaction) => Promise<T>): Promise<T> {
    return this.#retrying(async () => {
      const { value, afterCommit, unsure } = await this.#runOnce(work);
      if (unsure && !(await this.#wasCommitted(unsure.id))) throw unsure.error;
      for (const action of afterCommit) action();
      return value;
    });
  }

  /** Its connection is free again when this ends, whatever became of it. */
  async #runOnce<T>(work: (sql: Transaction) => Promise<T>): Promise<Committed<T>> {
    const waitedMs = stopwatch();
    const client = await this.#pool.connect();
    connectionWaits.publish(waitedMs());
    const afterCommit: (() => void)[] = [];
    let isOver = false;
    const write = async <R extends Row>(text: string, values: readonly unknown[] = []): Promise<R[]> => {
      // A straggler of `work` must not write outside of the transaction it was written for.
      if (isOver) throw new Error('the transaction is over');
      writeTogether(client);
      return (await client.query<R>(this.#prepared(text, values))).rows;
    };
    const sql: Transaction = {
      write,
      query: async <R extends Row>(text: string, values?: readonly unknown[]) => {
        this.#mustRead(text);
        return write<R>(text, values);
      },
      afterCommit: (action) => afterCommit.push(action),
    };
    let broken: Error | undefined;
    try {
      // The first statement does not wait for the answer to this one: it follows it on the same connection.
      writeTogether(client);
      const [, value] = await Promise.all([client.query('begin'), work(sql)]);
      // Last: whoever has taken over meanwhile is seen, and nobody takes over before the commit.
      await this.#fence?.(sql);
      isOver = true;
      const unsure = await this.#commit(client);
      broken = unsure?.error;
      return { value, afterCommit, unsure };
    } catch (error) {
      isOver = true;
      await client.query('rollback').catch((cause: Error) => {
        broken = cause;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** Answers which transaction it was, where the answer to the commit was lost. */
  async #commit(client: pg.PoolClient): Promise<Unsure | null> {
    // The answer to the first is on its way before the second begins.
    writeTogether(client);
    const asking = this.#asksAboutCommits
      ? client.query<{ id: string | null }>(this.#prepared(TRANSACTION_ID, []))
      : null;
    const committing = client.query('commit');
    committing.catch(() => {});
    const id = (await asking)?.rows[0]!.id ?? null;
    try {
      const done = await committing;
      if (done.command !== 'COMMIT') throw new Error('the transaction was rolled back at commit');
      return null;
    } catch (error) {
      if (id === null || !isDatabaseUnavailable(error)) throw error;
      return { id, error: error as Error };
    }
  }

  async #wasCommitted(id: string): Promise<boolean> {
    const elapsedMs = stopwatch();
    for (;;) {
      const [row] = await this.query<{ status: string | null }>(`select pg_xact_status($1::xid8) as status`, [id]);
      if (row!.status !== 'in progress' || elapsedMs() > UNAVAILABLE_PATIENCE_MS) return row!.status === 'committed';
      await systemClock.pause(COMMIT_POLL_MS);
    }
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  #mustRead(text: string): void {
    if (this.#reads.has(text)) return;
    if (!READS.test(text)) throw new Error(`changes rows, so it is not a query: ${text}`);
    this.#reads.add(text);
  }

  #prepared(text: string, values: readonly unknown[]): pg.QueryConfig {
    let name = this.#names.get(text);
    if (name === undefined) {
      name = `q${this.#names.size}`;
      this.#names.set(text, name);
    }
    return { name, text, values: values as unknown[] };
  }

  async #retrying<T>(run: () => Promise<T>): Promise<T> {
    this.#state.underWay += 1;
    try {
      return await this.#untilItWorks(run);
    } finally {
      this.#state.underWay -= 1;
    }
  }

  async #untilItWorks<T>(run: () => Promise<T>): Promise<T> {
    const elapsedMs = stopwatch();
    for (let attempt = 1; ; attempt += 1) {
      try {
        if (this.#state.back) await this.#state.back;
        return await run();
      } catch (error) {
        const isLast = isDatabaseUnavailable(error)
          ? elapsedMs() >= UNAVAILABLE_PATIENCE_MS
          : attempt >= ATTEMPTS_MAX || !RETRYABLE.has(codeOf(error));
        if (isLast) throw error;
        if (AWAY.has(codeOf(error))) await this.#untilBack();
        else await systemClock.pause(Math.min(1000, 2 ** attempt * 5) * (0.5 + Math.random()));
      }
    }
  }

  /** One asks for all: each attempt to connect costs a server that is recovering a process. */
  #untilBack(): Promise<void> {
    this.#state.back ??= this.#askUntilBack().finally(() => {
      this.#state.back = null;
    });
    return this.#state.back;
  }

  /** Ends also after the patience of those who wait; they meet the error themselves then. */
  async #askUntilBack(): Promise<void> {
    const elapsedMs = stopwatch();
    while (elapsedMs() < UNAVAILABLE_PATIENCE_MS) {
      await systemClock.pause(BACK_POLL_MS * (0.5 + Math.random()));
      try {
        (await this.#pool.connect()).release();
        return;
      } catch (error) {
        if (!AWAY.has(codeOf(error))) return;
      }
    }
  }
}

/**
 * What is asked for until the program gives way leaves in one write, and wakes the database once; the driver writes each statement by
 * itself.
 */
function writeTogether(client: pg.PoolClient): void {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  process.nextTick(() => stream.uncork());
}

/** The database cannot be reached just now, which is nobody's fault and passes. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (UNAVAILABLE.has(codeOf(error))) return true;
  return (
    error instanceof Error &&
    /Connection terminated|server closed the connection|is not queryable|timeout exceeded when trying to connect/i.test(
      error.message,
    )
  );
}

function codeOf(error: unknown): string {
  const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown };
  // A Unix socket that is not there, or has no room, refuses as a port does.
  if (syscall === 'connect' && (code === 'ENOENT' || code === 'EAGAIN')) return 'ECONNREFUSED';
  return typeof code === 'string' ? code : '';
}

/** Somebody else held a row for longer than this connection waits. */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

/**
 * A long array for a parameter, in the text form that the database reads: the driver writes one element at a time. For numbers, ids and
 * words without a character that would need quoting.
 */
export function arrayText(values: readonly (bigint | string | null)[]): string {
  return `{${values.map((value) => value ?? 'null').join(',')}}`;
}

/** The elements of a long array of numbers or ids that was asked for as text, none of them null. */
export function readArray(text: string): string[] {
  return text === '{}' ? [] : text.slice(1, -1).split(',');
}

/** True for a violation of the named unique or check constraint. */
export function violates(error: unknown, constraint: string): boolean {
  return (error as { constraint?: unknown }).constraint === constraint;
}
