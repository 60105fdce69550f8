import { randomUUID } from 'node:crypto';
import { AppError } from '@hunter/contract/app-error';
import type { SecondFactor } from '@hunter/signer-client/factor-client';
import { loadPersonalWallet } from '../ledger/wallets.ts';
import { recordAudit } from '../platform/audit.ts';
import { enqueue } from '../platform/outbox.ts';
import type { Sql } from '../platform/postgres.ts';
import type { Accounts, Origin } from './accounts.ts';
import { beginTry } from './begin-try.ts';
import { emailKey } from './email-key.ts';
import { endAccess } from './end-access.ts';
import { factorWanted } from './factors.ts';
import { isKnownDevice } from './known-devices.ts';
import { useLink } from './mail-links.ts';
import { RESET_PAUSE_HOURS } from './reset-pause.ts';
import { whileSealing } from './sealing.ts';
import { printMinute } from './signer-wallet-keys.ts';

// A frozen account has no sessions and gets none, nothing leaves it, and it buys nothing: what a thief has set up to buy by itself is
// paused and stays so until the owner, back in his account, resumes it. What sells goes on and protects him; so do his follows of
// strategies, whose money has left the wallet before and is bounded by the protection of followers. Password and second
// factor unfreeze it; where none is enrolled, password and mailed code, so that neither a thief with the mailbox nor one with the
// password can; while a reset by mail is young the mailbox would be enough for both, and so it does not count.

/** Held withdrawals of the user are canceled, and what buys by itself is paused, by whoever owns them. */
export const ACCOUNT_FROZEN_TOPIC = 'account-frozen';
export type AccountFrozen = { userId: string };

/** Answers the sessions that ended, for `forget`. */
export async function freeze(
  sql: Sql,
  accounts: Pick<Accounts, 'sessions'>,
  userId: string,
  origin: Pick<Origin, 'address'>,
): Promise<string[]> {
  await sql.write(`update users set frozen_at = coalesce(frozen_at, now()) where id = $1`, [userId]);
  const ended = await accounts.sessions.endOthers(sql, userId, null);
  await endAccess(sql, userId);
  await recordAudit(sql, { userId, event: 'account-frozen', address: origin.address });
  await enqueue(sql, ACCOUNT_FROZEN_TOPIC, { userId } satisfies AccountFrozen);
  return ended;
}

/** Throws LINK_INVALID. */
export async function freezeByLink(accounts: Accounts, token: string, origin: Origin): Promise<void> {
  const ended = await accounts.database.transaction(async (sql) => {
    const { userId } = await useLink(sql, new Date(accounts.clock.nowMs()), token, 'freeze');
    const sessions = await freeze(sql, accounts, userId, origin);
    await accounts.tell(sql, userId, { kind: 'frozen' });
    return sessions;
  });
  accounts.sessions.forget(ended, 'frozen');
}

/**
 * Throws ACCOUNT_FROZEN. Whoever writes something that outlasts the session locks: a freeze then waits for it and finds it, or comes
 * first and is seen here.
 */
export async function requireNotFrozen(sql: Sql, userId: string, lock: 'for share' | '' = ''): Promise<void> {
  if (await isFrozen(sql, userId, lock)) throw new AppError('ACCOUNT_FROZEN');
}

export async function isFrozen(sql: Sql, userId: string, lock: 'for share' | '' = ''): Promise<boolean> {
  const rows = await sql.query<{ isFrozen: boolean }>(
    `select frozen_at is not null as "isFrozen" from users where id = $1 ${lock}`,
    [userId],
  );
  return rows[0]?.isFrozen === true;
}

/**
 * The signer verifies password and factor for itself. Where no factor is enrolled, a mailed code takes its place. Throws
 * WRONG_CODE, WRONG_CREDENTIALS, LOGIN_FACTOR_REQUIRED, RATE_LIMITED or UNFREEZE_AFTER_RESET.
 */
export async function unfreeze(
  accounts: Accounts,
  request: {
    email: string;
    password: string;
    verificationCode?: string | undefined;
    factorId?: string | undefined;
    factor?: SecondFactor | undefined;
  },
  origin: Origin,
): Promise<void> {
  const { email, verificationCode: code, factor } = request;
  const key = emailKey(email);
  if (code !== undefined) await accounts.codes.check(email, 'unfreeze', code, origin.address);
  const [user] = await accounts.database.query<{ id: string; hash: string; resetAt: Date | null }>(
    `select id, password_hash as hash, password_reset_at as "resetAt" from users where email_key = $1`,
    [key],
  );
  await requireOwn(accounts, { key, userId: user?.id ?? null, hash: user?.hash ?? null }, request.password, origin);
  const wallet = await loadPersonalWallet(accounts.database, user!.id);
  const enrolled = await accounts.keys.factors(wallet, (client, current) => client.list(current));
  if (enrolled.passkeys.length > 0 || enrolled.totp !== null) {
    if (factor === undefined) throw factorWanted(wallet.address, enrolled);
  } else {
    if (code === undefined) throw new AppError('WRONG_CODE');
    const until = (user!.resetAt?.getTime() ?? 0) + RESET_PAUSE_HOURS * 3_600_000;
    if (until > accounts.clock.nowMs()) throw new AppError('UNFREEZE_AFTER_RESET', { until: printMinute(until) });
  }
  const proof = { password: request.password, proofId: request.factorId ?? randomUUID() };
  let isDoneAtSigner = false;
  await whileSealing(accounts, `unfreeze ${user!.id}`, async (sql) => {
    // Whoever is just telling the signer of the freeze has told it before this, or sees that it is over.
    await sql.query(`select 1 from users where id = $1 for update`, [user!.id]);
    // A proof counts once, and a transaction may be made again.
    if (!isDoneAtSigner) await accounts.keys.unfreeze(wallet, factor === undefined ? proof : { ...proof, factor });
    isDoneAtSigner = true;
    if (code !== undefined) await accounts.codes.consume(sql, email, 'unfreeze', code, origin.address);
    const thawed = await sql.write(
      `update users set frozen_at = null where id = $1 and frozen_at is not null returning 1`,
      [user!.id],
    );
    if (thawed.length === 0) return;
    await recordAudit(sql, { userId: user!.id, event: 'account-unfrozen', address: origin.address });
    await accounts.tell(sql, user!.id, { kind: 'unfrozen' });
  });
}

/** Tells the signer, which refuses by itself from then on, whatever the server asks. */
export async function freezeAtSigner(accounts: Accounts, userId: string): Promise<void> {
  const wallet = await loadPersonalWallet(accounts.database, userId);
  await whileSealing(accounts, `freeze ${userId}`, async (sql) => {
    // Locked until the signer knows, so that its owner unfreezes it before or after this, and never in between.
    const frozen = await sql.query(`select 1 from users where id = $1 and frozen_at is not null for update`, [userId]);
    if (frozen.length > 0) await accounts.keys.freeze(wallet);
  });
}

type AccountInQuestion = { key: string; userId: string | null; hash: string | null };

/** Without a session: guessed at no faster than at the door, and the same work whether or not there is an account. */
export function requireOwn(
  accounts: Accounts,
  account: AccountInQuestion,
  password: string,
  origin: Origin,
): Promise<void> {
  return requireTry(accounts, account, origin, (isKnown) =>
    accounts.hasher.verify(password, account.hash, isKnown ? { known: account.userId! } : 'stranger'),
  );
}

export async function requireTry(
  accounts: Accounts,
  account: AccountInQuestion,
  origin: Origin,
  isRight: (isKnownDevice: boolean) => Promise<boolean>,
): Promise<void> {
  const { key, userId } = account;
  const isKnown = await isKnownDevice(accounts.database, userId, origin);
  const succeeded = await beginTry(accounts, { key, isKnownDevice: isKnown }, origin);
  if (!(await isRight(isKnown))) {
    const { address, device: detail } = origin;
    await recordAudit(accounts.database, { userId, event: 'login-failed', address, detail });
    throw new AppError('WRONG_CREDENTIALS');
  }
  await succeeded();
}
