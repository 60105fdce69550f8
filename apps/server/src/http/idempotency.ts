import { AppError } from '@hunter/contract/app-error';
import type { CallName } from '@hunter/contract/calls';
import { subjectOf, type Bus } from '../platform/bus/bus.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/postgres.ts';
import type { ServerSecret } from '../platform/server-secret.ts';
import type { SignedInCaller } from './handlers.ts';

// One effect per request, however often it arrives.
//
//   claimed ──► answered        the stored reply is given to every repetition
//      │
//      ├──────► (row removed)   the call was refused: nothing happened, so a retry may succeed
//      └──────► unclaimed       it broke off (a crash, an internal error): what happened is unknown. A retry runs again
//                               under the same request key, by which the use case finds what it already did.
//
// A use case that has acted must therefore answer, with a status where need be, and not throw an AppError. The request
// key it finds in `caller.idempotencyKey` is never null behind this wrapper: without a header it is made from the
// request itself, and stays the same for as long as a repetition counts as a double click.

const DOUBLE_CLICK_MS: Partial<Record<CallName, number>> = { withdrawal: 60_000 };
const DOUBLE_CLICK_DEFAULT_MS = 2_000;
/**
 * Longer than any call takes: whoever claimed a row and has not answered by then is gone. That the process which claimed it is gone says
 * less where others share the database: the engine that it asked goes on.
 */
const CLAIM_MS = 60_000;
const WAIT_MAX_MS = 15_000;
/** How often it is looked for what nobody told: the process that answers tells those that wait, and the message may be lost. */
const LOOK_MS = 1_000;
/** How long a reply is kept. */
const KEPT_HOURS = 24;

type Claim = { kind: 'claimed'; requestKey: string } | { kind: 'answered'; reply: unknown } | { kind: 'running' };

type Asked = {
  name: CallName;
  userId: string;
  request: unknown;
  rowKey: string;
  /** Of the user, the call and the request. */
  hash: Buffer;
  windowMs: number | null;
};

type Row = { request_hash: Buffer; reply: string | null; created_at: Date; claimed_at: Date };

export type IdempotencyOptions = {
  database: Database;
  /** Over which processes tell each other that a request was answered. */
  bus?: Bus;
  clock: Clock;
  secret: ServerSecret;
  /**
   * Whether what an equal request was about has become another thing since: then it is no double click, however soon it comes.
   * A key that the caller chose says by itself that it is the same request.
   */
  isNewIntent?: (name: CallName, userId: string, request: unknown, since: Date) => Promise<boolean>;
  /** Since when this process has the database to itself: whatever was claimed before, nobody works on any more. */
  aloneSince?: Date | undefined;
};

export class Idempotency {
  readonly #database: Database;
  readonly #bus: Bus | null;
  readonly #clock: Clock;
  readonly #secret: ServerSecret;
  readonly #isNewIntent: NonNullable<IdempotencyOptions['isNewIntent']>;
  readonly #aloneSince: Date | undefined;
  /** Requests running in this process, so that their repetitions wait without asking the database. */
  readonly #running = new Map<string, Promise<unknown>>();

  constructor({ database, bus, clock, secret, isNewIntent, aloneSince }: IdempotencyOptions) {
    this.#aloneSince = aloneSince;
    this.#bus = bus ?? null;
    this.#isNewIntent = isNewIntent ?? (async () => false);
    this.#database = database;
    this.#clock = clock;
    this.#secret = secret;
  }

  async run(name: CallName, caller: SignedInCaller, request: unknown, work: () => Promise<unknown>): Promise<unknown> {
    const { userId } = caller.session;
    // Keyed, because the request may hold a password, which a plain hash would let be guessed.
    const hash = this.#secret.mac('request', userId, name, canonical(request));
    const given = caller.idempotencyKey;
    const rowKey = given === null ? `auto:${hash.toString('base64url')}` : `key:${given}`;
    const windowMs = given === null ? (DOUBLE_CLICK_MS[name] ?? DOUBLE_CLICK_DEFAULT_MS) : null;
    const runningKey = `${rowKey}\n${hash.toString('base64url')}`;
    const before = this.#running.get(runningKey);
    if (before) return this.#waitFor(before);

    const running = this.#claimAndRun({ name, caller, userId, request, rowKey, hash, windowMs, work });
    this.#running.set(runningKey, running);
    try {
      return await running;
    } finally {
      this.#running.delete(runningKey);
    }
  }

  async removeOld(): Promise<void> {
    // Keys made from a request carry their moment and cannot come back. A key that the caller chose may: what it stands for
    // is kept, so that another request under it is refused for ever, and the same one runs again under its request key.
    await this.#database.write(
      `delete from idempotency where key like 'auto:%' and created_at < $1::timestamptz - make_interval(hours => $2)`,
      [new Date(this.#clock.nowMs()), KEPT_HOURS],
    );
    await this.#database.write(
      `update idempotency set reply = null, claimed_at = 'epoch'
       where reply is not null and created_at < $1::timestamptz - make_interval(hours => $2)`,
      [new Date(this.#clock.nowMs()), KEPT_HOURS],
    );
  }

  async #claimAndRun(input: Asked & { caller: SignedInCaller; work: () => Promise<unknown> }): Promise<unknown> {
    const { userId, rowKey, hash } = input;
    const first = await this.#claim(input);
    const claim = first.kind === 'running' ? await this.#waitForOther(input) : first;
    if (claim.kind === 'answered') return claim.reply;
    input.caller.idempotencyKey = claim.requestKey;
    try {
      const reply = await input.work();
      await this.#database.write(`update idempotency set reply = $3 where user_id = $1 and key = $2`, [
        userId,
        rowKey,
        // As text inside the JSON, because the column would sort the fields and the reply must be the same to the byte.
        JSON.stringify(JSON.stringify(reply)),
      ]);
      return reply;
    } catch (error) {
      await this.#release(userId, rowKey, error);
      throw error;
    } finally {
      this.#bus?.publish(answeredSubject(hash), null);
    }
  }

  /** Another process has the request. It tells when it is done. */
  async #waitForOther(input: Asked): Promise<Exclude<Claim, { kind: 'running' }>> {
    const deadlineMs = this.#clock.nowMs() + WAIT_MAX_MS;
    let told = new AbortController();
    const stop = this.#bus?.subscribe(answeredSubject(input.hash), () => told.abort());
    try {
      for (;;) {
        // From before it is looked for: what is told from now on is not missed.
        const { signal } = (told = new AbortController());
        const claim = await this.#claim(input);
        if (claim.kind !== 'running') return claim;
        if (this.#clock.nowMs() >= deadlineMs) throw new AppError('REQUEST_IN_PROGRESS');
        await this.#clock.pause(LOOK_MS, signal);
      }
    } finally {
      stop?.();
    }
  }

  #claim(input: Asked): Promise<Claim> {
    const { name, userId, request, rowKey, hash, windowMs } = input;
    const now = new Date(this.#clock.nowMs());
    return this.#database.transaction(async (sql): Promise<Claim> => {
      const inserted = await sql.write(
        `insert into idempotency (user_id, key, call, request_hash, created_at, claimed_at)
         values ($1, $2, $3, $4, $5, $5) on conflict do nothing returning 1`,
        [userId, rowKey, name, hash, now],
      );
      if (inserted.length > 0) return { kind: 'claimed', requestKey: requestKey(rowKey, now, windowMs) };
      const [row] = await sql.query<Row>(
        `select request_hash, reply, created_at, claimed_at from idempotency where user_id = $1 and key = $2 for update`,
        [userId, rowKey],
      );
      // Removed by a refusal in between: the next round claims it.
      if (!row) return { kind: 'running' };
      if (!row.request_hash.equals(hash)) throw new AppError('IDEMPOTENCY_CONFLICT');
      const isOver =
        windowMs !== null &&
        (now.getTime() - row.created_at.getTime() >= windowMs ||
          (row.reply !== null && (await this.#isNewIntent(name, userId, request, row.created_at))));
      if (row.reply !== null && !isOver) {
        return { kind: 'answered', reply: JSON.parse(row.reply) as unknown };
      }
      const isAbandoned =
        now.getTime() - row.claimed_at.getTime() >= CLAIM_MS ||
        (this.#aloneSince !== undefined && row.claimed_at < this.#aloneSince);
      if (row.reply === null && !isAbandoned) return { kind: 'running' };
      const createdAt = isOver ? now : row.created_at;
      await sql.write(
        `update idempotency set reply = null, created_at = $3, claimed_at = $4 where user_id = $1 and key = $2`,
        [userId, rowKey, createdAt, now],
      );
      return { kind: 'claimed', requestKey: requestKey(rowKey, createdAt, windowMs) };
    });
  }

  async #release(userId: string, rowKey: string, error: unknown): Promise<void> {
    const refused = error instanceof AppError && error.errorName !== 'INTERNAL';
    const text = refused
      ? `delete from idempotency where user_id = $1 and key = $2`
      : `update idempotency set claimed_at = 'epoch' where user_id = $1 and key = $2`;
    // Where even this fails the claim runs out by itself.
    await this.#database.write(text, [userId, rowKey]).catch(() => {});
  }

  async #waitFor(running: Promise<unknown>): Promise<unknown> {
    const over = new AbortController();
    const late = this.#clock.pause(WAIT_MAX_MS, over.signal).then(() => {
      throw new AppError('REQUEST_IN_PROGRESS');
    });
    late.catch(() => {});
    try {
      return await Promise.race([running, late]);
    } finally {
      over.abort();
    }
  }
}

const answeredSubject = (hash: Buffer): string => subjectOf('request-answered', hash.toString('hex'));

/** A derived key carries the moment of its first use: once the window has passed, the same request is a new intent. */
function requestKey(rowKey: string, createdAt: Date, windowMs: number | null): string {
  return windowMs === null ? rowKey : `${rowKey}:${createdAt.getTime()}`;
}

/** Of the parsed request, in which equal amounts are equal; the order of its fields does not make another request. */
function canonical(request: unknown): string {
  return JSON.stringify(request ?? {}, (_key, value: unknown) =>
    typeof value === 'bigint'
      ? `${value}n`
      : typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
        : value,
  );
}
