import { randomUUID } from 'node:crypto';
import { AppError } from '@hunter/contract/app-error';
import type { SecondFactor } from '@hunter/signer-client/factor-client';
import { lockPersonalWallet, saveSealedKey } from '../ledger/wallets.ts';
import { whileSealing } from './sealing.ts';
import { recordAudit } from '../platform/audit.ts';
import type { Sql } from '../platform/postgres.ts';
import type { Accounts, Origin } from './accounts.ts';
import { beginChange, completeChange, takeBegun } from './begun-changes.ts';
import { emailKey } from './email-key.ts';
import { freeze, requireOwn, requireTry } from './freeze.ts';
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
  const passwordHash = await accounts.hasher.hash(request.password, 'known');
  const { address } = origin;
  const before = await whileSealing(accounts, async (sql) => {
    const userId = await requireResettable(accounts, sql, request.email);
    const wallet = await lockPersonalWallet(sql, userId);
    return beginChange(accounts, sql, wallet, { passwordHash, sessionId: null, address });
  });
  accounts.sessions.forget(before.sessions, before.why);
  const ended = await whileSealing(accounts, async (sql) => {
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

  /** The sessions that ended, or null where the proof is wrong. */
  const undo = (proof: ResetProof): Promise<string[] | null> =>
    whileSealing(accounts, async (sql) => {
      const { id: userId, hash } = user!;
      const wallet = await lockPersonalWallet(sql, userId);
      await takeBegun(sql, userId);
      const sealed = await accounts.keys.undoReset(wallet, proof);
      if (!sealed) return null;
      await saveSealedKey(sql, wallet.walletId, sealed.sealedKey);
      await sql.write(
        `update users set password_hash = $2, password_reset_at = null, hash_before_reset = null, first_reset_at = null,
           resets_refused_until = $3 where id = $1`,
        [userId, hash, new Date(nowMs + pauseMs)],
      );
      const sessions = await freeze(sql, accounts, userId, origin);
      await recordAudit(sql, { userId, event: 'reset-undone', address: origin.address });
      await accounts.tell(sql, userId, { kind: 'reset-undone' });
      return sessions;
    });

  let ended: string[] | null = null;
  if (password === undefined) {
    // Nobody has shown yet that there is an account, so nothing but right or wrong is told.
    await requireTry(accounts, account, origin, async () => {
      if (isYoung && factor !== undefined) ended = await undo({ proofId: randomUUID(), factor });
      return ended !== null;
    });
  } else {
    await requireOwn(accounts, account, password, origin);
    if (isYoung) ended = await undo({ password });
  }
  if (ended === null) throw new AppError('RESET_NOT_UNDOABLE');
  accounts.sessions.forget(ended, 'frozen');
}
