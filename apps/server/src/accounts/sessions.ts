import { createHash, randomBytes } from 'node:crypto';
import { AUDIT_DETAIL_MAX, type AuditEvent } from '../platform/audit.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database, Sql } from '../platform/postgres.ts';
import type { Session } from './session.ts';

const TOKEN_BYTES = 32;
const LIFETIME_DAYS = 30;
/** How long a session is believed without asking the database; also how often its expiry slides. */
const BELIEVED_MS = 60_000;
const CACHE_MAX = 50_000;

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
 * minute; once a minute a single statement both checks the session and moves its expiry. A revoke drops it from
 * this process at once and from any other process within that minute.
 */
export class Sessions {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #believed = new Map<string, Believed>();
  readonly #listeners = new Set<(sessionId: string, why: SessionEnd) => void>();
  #revocations = 0;

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
    if (believed && believed.untilMs > this.#clock.nowMs()) return believed.session;
    return this.#refresh(hash, key);
  }

  /**
   * Answers the token, which is nowhere else. The session begins with its entry in the audit log, in one statement that
   * may be repeated where its answer was lost.
   */
  async create(
    sql: Sql,
    user: { id: string; device: string; address: string },
    event: Extract<AuditEvent, 'registered' | 'login'>,
  ): Promise<string> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    await sql.query(
      `with added as (
         insert into session (user_id, token_hash, device, address, created_at, last_seen_at, expires_at)
         values ($1, $2, $3, $4, $5, $5, $5::timestamptz + make_interval(days => $6))
         on conflict (token_hash) do nothing returning user_id, address, device
       )
       insert into audit_event (user_id, event, address, detail)
       select user_id, $7, address, left(device, $8) from added`,
      [
        user.id,
        hashToken(token),
        user.device,
        user.address,
        new Date(this.#clock.nowMs()),
        LIFETIME_DAYS,
        event,
        AUDIT_DETAIL_MAX,
      ],
    );
    return token;
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
    const rows = await sql.query<{ id: string }>(`delete from session where user_id = $1 and id = $2 returning id`, [
      userId,
      sessionId,
    ]);
    return rows.length > 0;
  }

  /** All of a user's sessions but one; answers their ids for `forget`. */
  async endOthers(sql: Sql, userId: string, keptId: string | null): Promise<string[]> {
    const rows = await sql.query<{ id: string }>(
      `delete from session where user_id = $1 and ($2::uuid is null or id <> $2) returning id`,
      [userId, keptId],
    );
    return rows.map((row) => row.id);
  }

  /** Called after the deletion has committed: from here on the tokens are dead in this process. */
  forget(sessionIds: readonly string[], why: SessionEnd = 'ended'): void {
    this.#revocations += 1;
    const ended = new Set(sessionIds);
    for (const [key, { session }] of this.#believed) if (ended.has(session.sessionId)) this.#believed.delete(key);
    for (const id of ended) for (const listener of this.#listeners) listener(id, why);
  }

  async removeExpired(): Promise<void> {
    await this.#database.query(`delete from session where expires_at < $1`, [new Date(this.#clock.nowMs())]);
  }

  async #refresh(hash: Buffer, key: string): Promise<Session | null> {
    const revocationsBefore = this.#revocations;
    const nowMs = this.#clock.nowMs();
    const rows = await this.#database.query<{ id: string; user_id: string; email: string }>(
      `update session s set last_seen_at = $2, expires_at = $2::timestamptz + make_interval(days => $3)
       from users u where s.token_hash = $1 and s.expires_at > $2 and u.id = s.user_id
       returning s.id, s.user_id, u.email`,
      [hash, new Date(nowMs), LIFETIME_DAYS],
    );
    const row = rows[0];
    if (!row) {
      this.#believed.delete(key);
      return null;
    }
    const session: Session = { sessionId: row.id, userId: row.user_id, email: row.email };
    // A revoke that ran while we asked must win, so its effect is not covered up by what we read before it.
    if (revocationsBefore === this.#revocations) this.#believe(key, { session, untilMs: nowMs + BELIEVED_MS });
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

function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
