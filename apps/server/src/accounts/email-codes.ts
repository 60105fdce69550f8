import { AppError } from '@hunter/contract/app-error';
import { randomInt } from 'node:crypto';
import type { Clock } from '../platform/clock.ts';
import { enqueueMail } from '../platform/mail.ts';
import { networkOf } from '../platform/network-of.ts';
import type { Database, Sql } from '../platform/postgres.ts';
import type { ServerSecret } from '../platform/server-secret.ts';
import { removeOldRates, SharedRateLimit } from '../platform/shared-rate-limit.ts';
import { accountExistsMail, codeMail, noAccountMail } from './account-mails.ts';
import { emailKey, mailboxOf } from './email-key.ts';
import { deviceFingerprint, isKnownDevice, type Device } from './known-devices.ts';
import type { Language } from './mail-frame.ts';

export type CodePurpose = 'register' | 'reset' | 'export' | 'unfreeze';

export const RESEND_SECONDS = 60;
const LIFETIME_MINUTES = 5;
/**
 * For the network that asked for the code, and again for all others together: a stranger can then not use up the tries of
 * the one who waits for the mail.
 */
const TRIES_MAX = 5;
const TRIES_LEFT = `case when asked_by = $5 then tries_left else others_tries_left end`;
/**
 * For strangers together, and again for each device that has logged in to the account: a stranger can then not use up the codes with
 * which its owner comes back.
 */
const PER_DAY_MAX = 10;
/** Of the strangers' ten, so that one network does not leave none for an owner who comes from a device that is not known. */
const PER_NETWORK_MAX = 4;

export type CodeLimits = { perAddressPerHour: number; globalPerHour: number };

/**
 * Mailed codes. Every request for one does the same work and gives the same answer whether or not the address has an
 * account; only the mail differs.
 */
export class EmailCodes {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #secret: ServerSecret;
  readonly #perAddress: SharedRateLimit;
  readonly #global: SharedRateLimit;

  constructor(database: Database, clock: Clock, secret: ServerSecret, limits: CodeLimits) {
    this.#database = database;
    this.#clock = clock;
    this.#secret = secret;
    const ceiling = (name: string, perHour: number) =>
      new SharedRateLimit({ sql: database, clock, name, perSecond: perHour / 3600, burst: perHour });
    this.#perAddress = ceiling('codes of an address', limits.perAddressPerHour);
    this.#global = ceiling('codes', limits.globalPerHour);
  }

  async send(
    email: string,
    purpose: CodePurpose,
    caller: Device & { language: Language },
  ): Promise<{ retryAfterSeconds: number }> {
    const key = emailKey(email);
    const account = await loadAccount(this.#database, key);
    const isKnown = await isKnownDevice(this.#database, account?.id ?? null, caller);
    // Strangers with many networks can use up what all of them have together; a known device has its own few a day.
    if (!isKnown) await this.#takeCeilings(caller.address);
    const code = String(randomInt(1_000_000)).padStart(6, '0');
    await this.#database.transaction(async (sql) => {
      const hasAccount = account !== null;
      const carriesCode = hasAccount === (purpose !== 'register');
      const codeHash = this.#hash(email, purpose, code);
      await this.#replaceCode(sql, key, purpose, carriesCode ? codeHash : null, this.#asker(caller.address));
      if (isKnown) {
        await this.#countDay(sql, `${key}\n${deviceFingerprint(caller).toString('base64')}`, PER_DAY_MAX);
      } else {
        await this.#countDay(sql, `${key}\n${this.#asker(caller.address).toString('base64')}`, PER_NETWORK_MAX);
        await this.#countDay(sql, key, PER_DAY_MAX);
      }
      const language = account?.language ?? caller.language;
      const mail = carriesCode
        ? codeMail(language, purpose, code)
        : hasAccount
          ? accountExistsMail(language)
          : noAccountMail(language, purpose);
      // An address that was typed in another way but compares equal may be somebody else's mailbox.
      await enqueueMail(sql, this.#secret, { ...mail, to: account?.email ?? email });
    });
    return { retryAfterSeconds: RESEND_SECONDS };
  }

  /** Throws WRONG_CODE and counts the try. A right code stays usable until `consume`. */
  async check(email: string, purpose: CodePurpose, code: string, callerAddress: string): Promise<void> {
    const key = emailKey(email);
    const rows = await this.#database.write<{ right: boolean }>(
      `update email_code set
         tries_left = tries_left - case when code_hash = $3 or asked_by is distinct from $5 then 0 else 1 end,
         others_tries_left = others_tries_left - case when code_hash = $3 or asked_by = $5 then 0 else 1 end
       where email_key = $1 and purpose = $2 and expires_at > $4 and ${TRIES_LEFT} > 0
       returning coalesce(code_hash = $3, false) as "right"`,
      [key, purpose, this.#hash(email, purpose, code), new Date(this.#clock.nowMs()), this.#asker(callerAddress)],
    );
    if (!rows[0]?.right) throw new AppError('WRONG_CODE');
  }

  /** Uses the code up in the caller's transaction: of two callers with the same code one is refused. */
  async consume(sql: Sql, email: string, purpose: CodePurpose, code: string, callerAddress: string): Promise<void> {
    const key = emailKey(email);
    // The row stays, without its code, because it also says when the last mail went out.
    const rows = await sql.write(
      `update email_code set code_hash = null
       where email_key = $1 and purpose = $2 and code_hash = $3 and expires_at > $4 and ${TRIES_LEFT} > 0 returning 1`,
      [key, purpose, this.#hash(email, purpose, code), new Date(this.#clock.nowMs()), this.#asker(callerAddress)],
    );
    if (rows.length === 0) throw new AppError('WRONG_CODE');
  }

  async removeExpired(): Promise<void> {
    const now = new Date(this.#clock.nowMs());
    await this.#database.write(`delete from email_code where expires_at < $1::timestamptz - interval '1 hour'`, [now]);
    await this.#database.write(`delete from email_code_day where day < $1::date - 1`, [now]);
    await removeOldRates(this.#database, now.getTime());
  }

  async #takeCeilings(callerAddress: string): Promise<void> {
    const waitSeconds = (await this.#perAddress.take(networkOf(callerAddress))) || (await this.#global.take('all'));
    if (waitSeconds > 0) throw new AppError('RATE_LIMITED', { retryAfterSeconds: waitSeconds });
  }

  async #replaceCode(
    sql: Sql,
    key: string,
    purpose: CodePurpose,
    codeHash: Buffer | null,
    asker: Buffer,
  ): Promise<void> {
    const nowMs = this.#clock.nowMs();
    const rows = await sql.write(
      `insert into email_code as old
         (email_key, purpose, code_hash, tries_left, others_tries_left, asked_by, sent_at, expires_at)
       values ($1, $2, $3, $4, $4, $8, $5, $5::timestamptz + make_interval(mins => $6))
       on conflict (email_key, purpose) do update set code_hash = excluded.code_hash, tries_left = excluded.tries_left,
         others_tries_left = excluded.others_tries_left, asked_by = excluded.asked_by, sent_at = excluded.sent_at, expires_at = excluded.expires_at
       where old.sent_at <= excluded.sent_at - make_interval(secs => $7) returning 1`,
      [key, purpose, codeHash, TRIES_MAX, new Date(nowMs), LIFETIME_MINUTES, RESEND_SECONDS, asker],
    );
    if (rows.length > 0) return;
    const [last] = await sql.query<{ sent_at: Date }>(
      `select sent_at from email_code where email_key = $1 and purpose = $2`,
      [key, purpose],
    );
    const waitMs = (last?.sent_at.getTime() ?? nowMs) + RESEND_SECONDS * 1000 - nowMs;
    throw new AppError('CODE_TOO_SOON', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) });
  }

  async #countDay(sql: Sql, key: string, most: number): Promise<void> {
    const now = new Date(this.#clock.nowMs());
    const rows = await sql.write(
      `insert into email_code_day as d (email_key, day, sent) values ($1, $2, 1)
       on conflict (email_key, day) do update set sent = d.sent + 1 where d.sent < $3 returning 1`,
      [key, now.toISOString().slice(0, 10), most],
    );
    if (rows.length > 0) return;
    const midnightMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1);
    throw new AppError('CODE_TOO_SOON', { retryAfterSeconds: Math.ceil((midnightMs - now.getTime()) / 1000) });
  }

  #asker(callerAddress: string): Buffer {
    return this.#secret.mac('code-asker', networkOf(callerAddress));
  }

  /** The code of a registration is only good for the address it was mailed to, because that one will be stored. */
  #hash(email: string, purpose: CodePurpose, code: string): Buffer {
    const bound = purpose === 'register' ? mailboxOf(email) : emailKey(email);
    return this.#secret.mac('email-code', bound, purpose, code);
  }
}

type Account = { id: string; email: string; language: Language };

/**
 * The account with its address as it is stored, null where there is none. Reads one row either way, its own or the next, so
 * that both take the same time.
 */
async function loadAccount(sql: Sql, key: string): Promise<Account | null> {
  const [nearest] = await sql.query<Account & { key: string }>(
    `select id, email_key as key, email, language from users where email_key >= $1 order by email_key limit 1`,
    [key],
  );
  return nearest?.key === key ? nearest : null;
}
