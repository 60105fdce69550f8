import { AppError } from '@hunter/contract/app-error';
import { recordAudit } from '../platform/audit.ts';
import type { Sql } from '../platform/postgres.ts';
import { lockPersonalWallet, saveSealedKey, type SealedWallet } from '../ledger/wallets.ts';
import type { Accounts, Origin } from './accounts.ts';
import { endAccess } from './end-access.ts';
import { requireGoodPassword } from './new-password.ts';
import { requirePassword } from './passwords.ts';
import { whileSealing } from './sealing.ts';

// A password stands in two places: its hash here, for logging in, and inside the sealed key, where the signer checks it before money
// leaves. The signer changes first, and cannot be rolled back. So what it is going to be asked for is committed before; whoever finds
// that row later, with the wallet locked, completes the change where the signer has done it and drops it where it has not.

/** A live change holds the wallet's lock long before this; what is older was left by a process that died. */
const LEFT_AFTER_SECONDS = 10;
const BATCH = 100;

type PasswordChange = {
  userId: string;
  passwordHash: string;
  sealedBefore: string;
  sessionId: string;
  address: string;
};
type Deps = Pick<Accounts, 'keys' | 'sessions' | 'tell'>;

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
  const passwordHash = await accounts.hasher.hash(request.password, 'known');
  const endedBefore = await whileSealing(accounts, async (sql) => {
    const wallet = await lockPersonalWallet(sql, userId);
    const ended = await settle(accounts, sql, wallet);
    await sql.write(
      `insert into password_change (user_id, password_hash, sealed_before, session_id, address) values ($1, $2, $3, $4, $5)`,
      [userId, passwordHash, wallet.sealedKey, sessionId, origin.address],
    );
    return ended;
  });
  accounts.sessions.forget(endedBefore, 'password-changed');
  const ended = await whileSealing(accounts, async (sql) => {
    const wallet = await lockPersonalWallet(sql, userId);
    const begun = await takeChange(sql, userId);
    // Between the two transactions another change has taken its place.
    if (begun?.passwordHash !== passwordHash) throw new AppError('UNAVAILABLE');
    const { oldPassword, password: newPassword } = request;
    const sealed = await accounts.keys.changePassword(wallet, { oldPassword, newPassword });
    return sealed && complete(accounts, sql, wallet, begun, sealed.sealedKey);
  });
  if (ended === null) throw new AppError('WRONG_PASSWORD');
  accounts.sessions.forget(ended, 'password-changed');
}

/** What processes that died have left. */
export async function settlePasswordChanges(accounts: Accounts): Promise<void> {
  const left = await accounts.database.query<{ userId: string }>(
    `select user_id as "userId" from password_change where begun_at < now() - make_interval(secs => $1) order by begun_at limit $2`,
    [LEFT_AFTER_SECONDS, BATCH],
  );
  for (const { userId } of left) {
    const ended = await whileSealing(accounts, async (sql) =>
      settle(accounts, sql, await lockPersonalWallet(sql, userId)),
    );
    accounts.sessions.forget(ended, 'password-changed');
  }
}

/** A reset takes its place, and needs to know nothing of it. */
export async function dropPasswordChange(sql: Sql, userId: string): Promise<void> {
  await takeChange(sql, userId);
}

/** With the wallet locked. The sessions that ended. */
async function settle(accounts: Deps, sql: Sql, wallet: SealedWallet): Promise<string[]> {
  const begun = await takeChange(sql, wallet.userId);
  if (begun === null) return [];
  const sealed = await accounts.keys.sealedSince({ ...wallet, sealedKey: begun.sealedBefore });
  return sealed === null ? [] : complete(accounts, sql, wallet, begun, sealed.sealedKey);
}

async function takeChange(sql: Sql, userId: string): Promise<PasswordChange | null> {
  const rows = await sql.write<PasswordChange>(
    `delete from password_change where user_id = $1 returning user_id as "userId", password_hash as "passwordHash",
       sealed_before as "sealedBefore", session_id as "sessionId", address`,
    [userId],
  );
  return rows[0] ?? null;
}

async function complete(
  accounts: Deps,
  sql: Sql,
  { walletId }: SealedWallet,
  { userId, passwordHash, sessionId, address }: PasswordChange,
  sealedKey: string,
): Promise<string[]> {
  await saveSealedKey(sql, walletId, sealedKey);
  await sql.write(`update users set password_hash = $2 where id = $1`, [userId, passwordHash]);
  const others = await accounts.sessions.endOthers(sql, userId, sessionId);
  await endAccess(sql, userId);
  await recordAudit(sql, { userId, event: 'password-changed', address });
  await accounts.tell(sql, userId, { kind: 'password-changed' });
  return others;
}
