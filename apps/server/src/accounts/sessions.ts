import { createHash, randomBytes } from 'node:crypto';
import { AUDIT_DETAIL_MAX, type AuditEvent } from '../platform/audit.ts';
import type { Bus } from '../platform/bus/bus.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { Loop } from '../platform/loop.ts';
import type { Database, Sql } from '../platform/postgres.ts';
import type { Session } from './session.ts';

const TOKEN_BYTES = 32;
const LIFETIME_DAYS = 30;
/** How long a session is believed without asking the database. */
const BELIEVED_MS = 60_000;
/** How old the time in the database may get before it is written again; with it the expiry slides. */
const SEEN_MS = 5 * 60_000;
const SAVE_SEEN_MS = 30_000;
const CACHE_MAX = 50_000;
const ENDED_SUBJECT = 'sessions-ended';
/** How often a process that shares the database looks for sessions that others ended. */
const LOOK_MS = 300;
/** Where it has not looked for so long, it believes no session without asking. */
const LOOK_LATE_MS = 800;
/** Longer than a transaction takes from ending a session to its commit. */
const LOOK_BACK_SECONDS = 30;
const ENDED_KEPT_HOURS = 1;

/** Why a session ended before its time; its open pages are told. */
export type SessionEnd = 'ended' | 'revoked' | 'password-changed' | 'password-reset' | 'frozen';

type Believed = { session: Session; untilMs: number };

export type SessionRow = {
  id: string;
  createdAt: number;
  lastSeenAt: number;
  device: string;
  address: string;
  current: boolean;
};

/**
 * Sessions by the hash of their token. Authenticating is one hash and one map lookup for a session seen within the last
 * minute; once a minute it is read again. When it was last seen is written rarely, for many sessions at once. A revoke drops it from
 * this process at once, and from others that share the database within a second: they are told over the bus, and look for it.
 */
export class Sessions {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #believed = new Map<string, Believed>();
  readonly #listeners = new Set<(sessionId: string, why: SessionEnd) => void>();
  /** One for each session that is being read: those that ended meanwhile. */
  readonly #endedMeanwhile = new Set<Set<string>>();
  #bus: Bus | null = null;
  /** When this process last knew of every session that others had ended; null where there are no others. */
  #lookedMs: number | null = null;
  /** Ended ones that were told already. */
  #told = new Set<string>();
  /** Seen by this process and not yet written. */
  #seen = new Map<string, number>();

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
  }

  /** Live streams listen here, to close with their session. */
  onEnd(listener: (sessionId: string, why: SessionEnd) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  authenticate(token: string): Session | null | Promise<Session | null> {
    const hash = hashToken(token);
    const key = hash.toString('base64');
    const believed = this.#believed.get(key);
    const nowMs = this.#clock.nowMs();
    if (believed && believed.untilMs > nowMs && (this.#lookedMs === null || nowMs - this.#lookedMs < LOOK_LATE_MS)) {
      return believed.session;
    }
    return this.#refresh(hash, key);
  }

  /**
   * Answers the token, which is nowhere else; null where the account has been frozen, or given another password than the one with
   * this hash: whoever ends all sessions of a user writes one of the two first, so that none that is just being made is missed.
   * The session begins with its entry in the audit log, in one statement that may be repeated where its answer was lost.
   */
  async create(
    sql: Sql,
    user: { id: string; passwordHash: string; device: string; address: string },
    event: Extract<AuditEvent, 'registered' | 'login'>,
  ): Promise<string | null> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    const rows = await sql.write(
      `with owner as (
         select id from users where id = $1 and password_hash = $9 and frozen_at is null for share
       ), added as (
         insert into session (user_id, token_hash, device, address, created_at, last_seen_at, expires_at)
         select id, $2, $3, $4, $5, $5, $5::timestamptz + make_interval(days => $6) from owner
         on conflict (token_hash) do nothing returning user_id, address, device
       ), noted as (
         insert into audit_event (user_id, event, address, detail)
         select user_id, $7, address, left(device, $8) from added
       )
       select 1 from owner`,
      [
        user.id,
        hashToken(token),
        user.device,
        user.address,
        new Date(this.#clock.nowMs()),
        LIFETIME_DAYS,
        event,
        AUDIT_DETAIL_MAX,
        user.passwordHash,
      ],
    );
    return rows.length === 0 ? null : token;
  }

  /** As the database has it now, for whoever holds the lock on the user that ending his sessions takes. */
  async isOpen(sql: Sql, sessionId: string): Promise<boolean> {
    return (await sql.query(`select 1 from session where id = $1`, [sessionId])).length > 0;
  }

  async list(userId: string, currentId: string): Promise<SessionRow[]> {
    const rows = await this.#database.query<{
      id: string;
      created_at: Date;
      last_seen_at: Date;
      device: string;
      address: string;
    }>(
      `select id, created_at, last_seen_at, device, address from session
       where user_id = $1 and expires_at > $2 order by last_seen_at desc limit 100`,
      [userId, new Date(this.#clock.nowMs())],
    );
    return rows.map((row) => ({
      id: row.id,
      createdAt: row.created_at.getTime(),
      lastSeenAt: row.last_seen_at.getTime(),
      device: row.device,
      address: row.address,
      current: row.id === currentId,
    }));
  }

  /** False where the user has no such session; another user's looks the same. */
  async end(sql: Sql, userId: string, sessionId: string): Promise<boolean> {
    const rows = await sql.write<{ id: string }>(`delete from session where user_id = $1 and id = $2 returning id`, [
      userId,
      sessionId,
    ]);
    return rows.length > 0;
  }

  /** All of a user's sessions but one; answers their ids for `forget`. */
  async endOthers(sql: Sql, userId: string, keptId: string | null): Promise<string[]> {
    const rows = await sql.write<{ id: string }>(
      `delete from session where user_id = $1 and ($2::uuid is null or id <> $2) returning id`,
      [userId, keptId],
    );
    return rows.map((row) => row.id);
  }

  /** Called after the deletion has committed: from here on the tokens are dead in this process, and soon in others. */
  forget(sessionIds: readonly string[], why: SessionEnd = 'ended'): void {
    this.#forget(sessionIds, why);
    this.#bus?.publish(ENDED_SUBJECT, { sessionIds, why });
  }

  /** Other processes work on the same database: what they end ends here, too. */
  share(bus: Bus, log: Log): { start(): void; stop(): Promise<void> } {
    this.#bus = bus;
    this.#lookedMs = -Infinity;
    const looking = new Loop({
      name: 'look for ended sessions',
      work: () => this.#look(),
      everyMs: LOOK_MS,
      retryMs: { first: LOOK_MS, max: LOOK_MS },
      clock: this.#clock,
      log,
    });
    let stopHearing = () => {};
    return {
      start: () => {
        stopHearing = bus.subscribe(ENDED_SUBJECT, (message) => {
          const { sessionIds, why } = message as { sessionIds: readonly string[]; why: SessionEnd };
          for (const id of sessionIds) this.#told.add(id);
          this.#forget(sessionIds, why);
        });
        looking.start();
      },
      stop: async () => {
        stopHearing();
        await looking.stop();
      },
    };
  }

  /** Writes when sessions were last seen, for as long as it runs. */
  keepSeen(log: Log): { start(): void; stop(): Promise<void> } {
    const saving = new Loop({
      name: 'saving when sessions were last seen',
      work: () => this.saveSeen(),
      everyMs: SAVE_SEEN_MS,
      firstAfterMs: SAVE_SEEN_MS,
      clock: this.#clock,
      log,
    });
    return {
      start: () => saving.start(),
      stop: async () => {
        await saving.stop();
        await this.saveSeen().catch(() => {});
      },
    };
  }

  async saveSeen(): Promise<void> {
    if (this.#seen.size === 0) return;
    const seen = this.#seen;
    this.#seen = new Map();
    await this.#database.write(
      `update session s set last_seen_at = v.at, expires_at = v.at + make_interval(days => $3)
       from unnest($1::uuid[], $2::timestamptz[]) as v (id, at) where s.id = v.id and s.last_seen_at < v.at`,
      [[...seen.keys()], [...seen.values()].map((ms) => new Date(ms)), LIFETIME_DAYS],
    );
  }

  async #look(): Promise<void> {
    const startedMs = this.#clock.nowMs();
    // From where it last looked: while the database did not answer, more may have ended than fits into the usual time.
    const sinceLookMs = Math.min(startedMs - (this.#lookedMs ?? startedMs), ENDED_KEPT_HOURS * 3_600_000);
    const rows = await this.#database.query<{ id: string }>(
      `select session_id as id from ended_session where ended_at > now() - make_interval(secs => $1)`,
      [LOOK_BACK_SECONDS + sinceLookMs / 1_000],
    );
    const fresh = rows.map(({ id }) => id).filter((id) => !this.#told.has(id));
    this.#told = new Set(rows.map(({ id }) => id));
    if (fresh.length > 0) this.#forget(fresh, 'ended');
    this.#lookedMs = startedMs;
  }

  #forget(sessionIds: readonly string[], why: SessionEnd): void {
    const ended = new Set(sessionIds);
    for (const meanwhile of this.#endedMeanwhile) for (const id of ended) meanwhile.add(id);
    for (const [key, { session }] of this.#believed) if (ended.has(session.sessionId)) this.#believed.delete(key);
    for (const id of ended) for (const listener of this.#listeners) listener(id, why);
  }

  async removeExpired(): Promise<void> {
    await this.#database.write(`delete from session where expires_at < $1`, [new Date(this.#clock.nowMs())]);
    await this.#database.write(`delete from ended_session where ended_at < now() - make_interval(hours => $1)`, [
      ENDED_KEPT_HOURS,
    ]);
  }

  async #refresh(hash: Buffer, key: string): Promise<Session | null> {
    const ended = new Set<string>();
    this.#endedMeanwhile.add(ended);
    const nowMs = this.#clock.nowMs();
    const [row] = await this.#database
      .query<{ id: string; user_id: string; email: string; last_seen_at: Date }>(
        `select s.id, s.user_id, u.email, s.last_seen_at from session s join users u on u.id = s.user_id
         where s.token_hash = $1 and s.expires_at > $2`,
        [hash, new Date(nowMs)],
      )
      .finally(() => this.#endedMeanwhile.delete(ended));
    // What was read may be of before its end: a live stream would never hear of it.
    if (!row || ended.has(row.id)) {
      this.#believed.delete(key);
      return null;
    }
    if (nowMs - row.last_seen_at.getTime() >= SEEN_MS) this.#seen.set(row.id, nowMs);
    const session: Session = { sessionId: row.id, userId: row.user_id, email: row.email };
    this.#believe(key, { session, untilMs: nowMs + BELIEVED_MS });
    return session;
  }

  #believe(key: string, believed: Believed): void {
    if (this.#believed.size >= CACHE_MAX && !this.#believed.has(key)) {
      const oldest = this.#believed.keys().next();
      if (!oldest.done) this.#believed.delete(oldest.value);
    }
    this.#believed.set(key, believed);
  }
}

/** Whether it is open. Whoever ends it waits for the end of the transaction, and then finds what was written in it. */
export async function keepOpen(sql: Sql, { userId, sessionId }: Omit<Session, 'email'>): Promise<boolean> {
  const rows = await sql.query(`select 1 from session where id = $2 and user_id = $1 for key share`, [
    userId,
    sessionId,
  ]);
  return rows.length > 0;
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
