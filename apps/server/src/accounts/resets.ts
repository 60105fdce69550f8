import { randomUUID } from 'node:crypto';
import { AppError } from '@hunter/contract/app-error';
import type { SecondFactor } from '@hunter/signer-client/factor-client';
import { lockPersonalWallet } from '../ledger/wallets.ts';
import { whileSealing } from './sealing.ts';
import type { Sql } from '../platform/postgres.ts';
import type { Accounts, Origin } from './accounts.ts';
import { beginChange, beginUndo, completeChange, completeUndo, takeBegun } from './begun-changes.ts';
import { emailKey } from './email-key.ts';
import { requireOwn, requireTry } from './freeze.ts';
import { requireGoodPassword } from './new-password.ts';
import { RESET_PAUSE_HOURS } from './reset-pause.ts';
import { printMinute } from './signer-wallet-keys.ts';
import type { ResetProof } from './wallet-keys.ts';

// A reset needs nothing but the mailbox. The password of before is kept for a while, also by the signer, so that the owner
// can undo it; whoever undoes it gains nothing else: the account is frozen then, and unfreezing needs the mailbox too.

export async function resetPassword(
  accounts: Accounts,
  request: { email: string; verificationCode: string; password: string; confirmPassword: string },
  origin: Origin,
): Promise<void> {
  requireGoodPassword(request.password, request.confirmPassword);
  await accounts.codes.check(request.email, 'reset', request.verificationCode, origin.address);
  const passwordHash = await accounts.hasher.hash(request.password, { known: emailKey(request.email) });
  const { address } = origin;
  const before = await whileSealing(accounts, emailKey(request.email), async (sql) => {
    const userId = await requireResettable(accounts, sql, request.email);
    const wallet = await lockPersonalWallet(sql, userId);
    return beginChange(accounts, sql, wallet, { passwordHash, sessionId: null, address });
  });
  accounts.sessions.forget(before.sessions, before.why);
  const ended = await whileSealing(accounts, emailKey(request.email), async (sql) => {
    await accounts.codes.consume(sql, request.email, 'reset', request.verificationCode, address);
    const wallet = await lockPersonalWallet(sql, await requireResettable(accounts, sql, request.email));
    const begun = await takeBegun(sql, wallet.userId);
    // Between the two transactions another change has taken its place.
    if (begun?.passwordHash !== passwordHash) throw new AppError('UNAVAILABLE');
    const sealed = await accounts.keys.resetPassword(wallet, request.password);
    return completeChange(accounts, sql, wallet, begun, sealed.sealedKey);
  });
  accounts.sessions.forget(ended.sessions, ended.why);
}

async function requireResettable(accounts: Accounts, sql: Sql, email: string): Promise<string> {
  const [user] = await sql.query<{ id: string; refusedUntil: Date | null }>(
    `select id, resets_refused_until as "refusedUntil" from users where email_key = $1`,
    [emailKey(email)],
  );
  // A code of this purpose is only ever mailed to an account, and accounts are never removed.
  if (!user) throw new AppError('WRONG_CODE');
  const refusedUntil = user.refusedUntil?.getTime() ?? 0;
  if (refusedUntil > accounts.clock.nowMs()) throw new AppError('RESET_REFUSED', { until: printMinute(refusedUntil) });
  return user.id;
}

/** With the password of before, or a code of a second factor. Throws WRONG_CREDENTIALS, RATE_LIMITED or RESET_NOT_UNDOABLE. */
export async function undoReset(
  accounts: Accounts,
  request: { email: string; password?: string | undefined; factor?: SecondFactor | undefined },
  origin: Origin,
): Promise<void> {
  const { password, factor } = request;
  const key = emailKey(request.email);
  const nowMs = accounts.clock.nowMs();
  const [user] = await accounts.database.query<{ id: string; hash: string | null; firstResetAt: Date | null }>(
    `select id, hash_before_reset as hash, first_reset_at as "firstResetAt" from users where email_key = $1`,
    [key],
  );
  const pauseMs = RESET_PAUSE_HOURS * 3_600_000;
  const isYoung = (user?.firstResetAt?.getTime() ?? 0) + pauseMs > nowMs;
  const account = { key, userId: user?.id ?? null, hash: user?.hash ?? null };

  // Its own: whoever has the mailbox may reset again and again, and each waits for the one before.
  const turn = `undo ${key}`;

  /** Whether it is undone; not where the proof is wrong. */
  const undo = async (proof: ResetProof): Promise<boolean> => {
    const before = await whileSealing(accounts, turn, async (sql) => {
      const wallet = await lockPersonalWallet(sql, user!.id);
      return beginUndo(accounts, sql, wallet, origin.address);
    });
    accounts.sessions.forget(before.ended.sessions, before.ended.why);
    // What a process that died had begun is done now; whoever shows the password has shown it for that.
    if (before.passwordHash === null) return before.ended.why === 'frozen' && 'password' in proof;
    let isProven = false;
    const ended = await whileSealing(accounts, turn, async (sql) => {
      const wallet = await lockPersonalWallet(sql, user!.id);
      const begun = await takeBegun(sql, wallet.userId);
      // Between the two transactions another change has taken its place.
      if (begun?.passwordHash !== before.passwordHash) throw new AppError('UNAVAILABLE');
      const undone = await accounts.keys.undoReset(wallet, proof);
      isProven ||= undone !== null;
      // A factor counts once, and a transaction may be made again: the signer has undone it then, and only says that there is nothing to.
      const sealed = undone ?? (await accounts.keys.sealedSince({ ...wallet, sealedKey: begun.sealedBefore }));
      return sealed && completeUndo(accounts, sql, wallet, begun, sealed.sealedKey);
    });
    if (ended !== null) accounts.sessions.forget(ended.sessions, ended.why);
    return isProven;
  };

  let isUndone = false;
  if (password === undefined) {
    // Nobody has shown yet that there is an account, so nothing but right or wrong is told.
    await requireTry(accounts, account, origin, async () => {
      isUndone = isYoung && factor !== undefined && (await undo({ proofId: randomUUID(), factor }));
      return isUndone;
    });
  } else {
    await requireOwn(accounts, account, password, origin);
    isUndone = isYoung && (await undo({ password }));
  }
  if (!isUndone) throw new AppError('RESET_NOT_UNDOABLE');
}
