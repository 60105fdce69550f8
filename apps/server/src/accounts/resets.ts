import { randomUUID } from 'node:crypto';
import { AppError } from '@hunter/contract/app-error';
import type { SecondFactor } from '@hunter/signer-client/factor-client';
import { lockPersonalWallet, saveSealedKey } from '../ledger/wallets.ts';
import { whileSealing } from './sealing.ts';
import { recordAudit } from '../platform/audit.ts';
import type { Accounts, Origin } from './accounts.ts';
import { emailKey } from './email-key.ts';
import { endAccess } from './end-access.ts';
import { freeze, requireOwn, requireTry } from './freeze.ts';
import { requireGoodPassword } from './new-password.ts';
import { dropPasswordChange } from './password-changes.ts';
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
  const now = new Date(accounts.clock.nowMs());
  const ended = await whileSealing(accounts, async (sql) => {
    await accounts.codes.consume(sql, request.email, 'reset', request.verificationCode, origin.address);
    const [user] = await sql.query<{ id: string; refusedUntil: Date | null }>(
      `select id, resets_refused_until as "refusedUntil" from users where email_key = $1`,
      [emailKey(request.email)],
    );
    // A code of this purpose is only ever mailed to an account, and accounts are never removed.
    if (!user) throw new AppError('WRONG_CODE');
    const refusedUntil = user.refusedUntil?.getTime() ?? 0;
    if (refusedUntil > now.getTime()) throw new AppError('RESET_REFUSED', { until: printMinute(refusedUntil) });
    const wallet = await lockPersonalWallet(sql, user.id);
    await dropPasswordChange(sql, user.id);
    const sealed = await accounts.keys.resetPassword(wallet, request.password);
    await saveSealedKey(sql, wallet.walletId, sealed.sealedKey);
    // A second reset must not put its own password in the place of the owner's.
    await sql.write(
      `update users set password_hash = $2, password_reset_at = $3,
         hash_before_reset = case when first_reset_at > $3::timestamptz - make_interval(hours => $4)
                                  then hash_before_reset else password_hash end,
         first_reset_at = case when first_reset_at > $3::timestamptz - make_interval(hours => $4) then first_reset_at else $3 end
       where id = $1`,
      [user.id, passwordHash, now, RESET_PAUSE_HOURS],
    );
    const all = await accounts.sessions.endOthers(sql, user.id, null);
    await endAccess(sql, user.id);
    await recordAudit(sql, { userId: user.id, event: 'password-reset', address: origin.address });
    await accounts.tell(sql, user.id, { kind: 'password-reset' });
    return all;
  });
  accounts.sessions.forget(ended, 'password-reset');
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
      await dropPasswordChange(sql, userId);
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
