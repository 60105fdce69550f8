import { AppError } from '@hunter/contract/app-error';
import { lockPersonalWallet } from '../ledger/wallets.ts';
import type { Accounts, Origin } from './accounts.ts';
import { beginChange, completeChange, takeBegun } from './begun-changes.ts';
import { requireGoodPassword } from './new-password.ts';
import { requirePassword } from './passwords.ts';
import { whileSealing } from './sealing.ts';

export async function changePassword(
  accounts: Accounts,
  session: { userId: string; sessionId: string },
  request: { oldPassword: string; password: string; confirmPassword: string },
  origin: Origin,
): Promise<void> {
  requireGoodPassword(request.password, request.confirmPassword);
  await requirePassword(accounts, session, request.oldPassword, {
    event: 'password-change-failed',
    address: origin.address,
  });
  const { userId, sessionId } = session;
  const passwordHash = await accounts.hasher.hash(request.password, { known: userId });
  const before = await whileSealing(accounts, userId, async (sql) => {
    const wallet = await lockPersonalWallet(sql, userId);
    return beginChange(accounts, sql, wallet, { passwordHash, sessionId, address: origin.address });
  });
  accounts.sessions.forget(before.sessions, before.why);
  const ended = await whileSealing(accounts, userId, async (sql) => {
    const wallet = await lockPersonalWallet(sql, userId);
    const begun = await takeBegun(sql, userId);
    // Between the two transactions another change has taken its place.
    if (begun?.passwordHash !== passwordHash) throw new AppError('UNAVAILABLE');
    const { oldPassword, password: newPassword } = request;
    const sealed = await accounts.keys.changePassword(wallet, { oldPassword, newPassword });
    return sealed && completeChange(accounts, sql, wallet, begun, sealed.sealedKey);
  });
  if (ended === null) throw new AppError('WRONG_PASSWORD');
  accounts.sessions.forget(ended.sessions, ended.why);
}
