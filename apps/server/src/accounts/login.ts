import { AppError } from '@hunter/contract/app-error';
import type { SecondFactor } from '@hunter/signer-client/factor-client';
import type { Accounts, Origin, WalletInfo } from './accounts.ts';
import { readUserAgent } from '@hunter/domain/names/user-agent';
import { recordAudit } from '../platform/audit.ts';
import { beginTry } from './begin-try.ts';
import { requireLoginFactor } from './factors.ts';
import { emailKey } from './email-key.ts';
import { deviceFingerprint, rememberDevice } from './known-devices.ts';
import type { Language } from './mail-frame.ts';
import { saveLanguage } from './settings.ts';

export type LoggedIn = { token: string; email: string; walletInfo: WalletInfo };

/** An unknown address and a wrong password take the same queries, the same hash and the same answer. */
export async function login(
  accounts: Accounts,
  request: {
    email: string;
    password: string;
    factorId?: string | undefined;
    factor?: SecondFactor | undefined;
  },
  origin: Origin,
): Promise<LoggedIn> {
  const key = emailKey(request.email);
  const fingerprint = deviceFingerprint(origin);
  // The row is there with and without an account, and the device is looked up for both.
  const [found] = await accounts.database.query<
    | {
        id: string;
        email: string;
        password_hash: string;
        language: Language;
        frozen: boolean;
        seen: 'today' | 'before' | null;
      }
    | { id: null; seen: null }
  >(
    `select u.id, u.email, u.password_hash, u.language, u.frozen_at is not null as frozen,
            (select case when d.last_login_at > now() - interval '1 day' then 'today' else 'before' end from known_device d
             where d.user_id = coalesce(u.id, '00000000-0000-0000-0000-000000000000') and d.fingerprint = $2) as seen
     from (select $1::text as email_key) asked left join users u using (email_key)`,
    [key, fingerprint],
  );
  const user = found && found.id !== null ? found : null;
  const isKnownDevice = user !== null && user.seen !== null;
  const succeeded = await beginTry(accounts, { key, isKnownDevice }, origin);
  const asker = isKnownDevice ? { known: user.id } : 'stranger';
  const right = await accounts.hasher.verify(request.password, user?.password_hash ?? null, asker);
  if (!user || !right) {
    await recordAudit(accounts.database, {
      userId: user?.id ?? null,
      event: 'login-failed',
      address: origin.address,
      detail: origin.device,
    });
    throw new AppError('WRONG_CREDENTIALS');
  }
  await succeeded();
  // Said only to whoever knows the password.
  if (user.frozen) throw new AppError('ACCOUNT_FROZEN');
  await requireLoginFactor(accounts, user.id, request);
  const [walletInfo] = await Promise.all([
    accounts.loadWalletInfo(accounts.database, user.id),
    noteDevice(accounts, user, origin),
    user.language === origin.language ? null : saveLanguage(accounts.database, user.id, origin.language),
  ]);
  // Last, so that nobody is logged in who was told that he is not.
  const { id, password_hash: passwordHash } = user;
  const token = await accounts.sessions.create(accounts.database, { id, passwordHash, ...origin }, 'login');
  // The password was changed, or the account frozen, after it was read above.
  if (token === null) throw new AppError('WRONG_CREDENTIALS');
  return { token, email: user.email, walletInfo };
}

async function noteDevice(
  accounts: Accounts,
  user: { id: string; seen: 'today' | 'before' | null },
  origin: Origin,
): Promise<void> {
  // Once a day is enough to know it by.
  if (user.seen === 'today') return;
  if (user.seen === 'before') return rememberDevice(accounts.database, user.id, origin);
  await accounts.database.transaction(async (sql) => {
    await rememberDevice(sql, user.id, origin);
    const { browser, system } = readUserAgent(origin.device);
    const device = browser && system ? `${browser} · ${system}` : (browser ?? system ?? '?');
    await accounts.tell(sql, user.id, { kind: 'new-device', device, address: origin.address });
  });
}

export async function logout(
  accounts: Accounts,
  session: { userId: string; sessionId: string },
  origin: Origin,
): Promise<void> {
  await accounts.database.transaction(async (sql) => {
    await accounts.sessions.end(sql, session.userId, session.sessionId);
    await recordAudit(sql, { userId: session.userId, event: 'logout', address: origin.address });
  });
  accounts.sessions.forget([session.sessionId]);
}

export async function revokeSession(
  accounts: Accounts,
  session: { userId: string },
  endedId: string,
  origin: Origin,
): Promise<void> {
  await accounts.database.transaction(async (sql) => {
    if (!(await accounts.sessions.end(sql, session.userId, endedId))) throw new AppError('NOT_FOUND');
    await recordAudit(sql, { userId: session.userId, event: 'session-revoked', address: origin.address });
  });
  accounts.sessions.forget([endedId], 'revoked');
}
