import { AppError } from '@hunter/contract/app-error';
import type { ShownKey } from '@hunter/signer-client/signer-client';
import { randomUUID } from 'node:crypto';
import { openBook } from '../ledger/books.ts';
import { insertWallet } from '../ledger/wallets.ts';
import { enqueueMail } from '../platform/mail.ts';
import { violates, type Sql } from '../platform/postgres.ts';
import type { Accounts, Origin, WalletInfo } from './accounts.ts';
import { welcomeMail } from './account-mails.ts';
import { generateDisplayName } from './display-name.ts';
import { emailKey } from './email-key.ts';
import { consumeInvite, createInvite, INVITES_PER_USER, requireUsableInvite } from './invites.ts';
import { rememberDevice } from './known-devices.ts';
import type { Language } from './mail-frame.ts';
import { requireGoodPassword } from './new-password.ts';

export type Registration = {
  email: string;
  password: string;
  confirmPassword: string;
  verificationCode: string;
  inviteCode: string;
  agreement: boolean;
  sealTo?: string | undefined;
};

export type Registered = {
  token: string;
  email: string;
  walletInfo: WalletInfo;
  wallet: { address: string; privateKey: ShownKey };
};

const DISPLAY_NAME_TRIES = 6;

/**
 * The key is made before the transaction, because the signer is another process; when the transaction then fails, an
 * unused key is all that remains. Code and invite are used up together with the account or not at all.
 */
export async function register(accounts: Accounts, request: Registration, origin: Origin): Promise<Registered> {
  if (!request.agreement) throw new AppError('AGREEMENT_REQUIRED');
  requireGoodPassword(request.password, request.confirmPassword);
  const { email, password, verificationCode, inviteCode } = request;
  await accounts.codes.check(email, 'register', verificationCode, origin.address);
  await requireUsableInvite(accounts.database, inviteCode, accounts.local);

  const userId = randomUUID();
  const walletId = randomUUID();
  const passwordHash = await accounts.hasher.hash(password, { known: emailKey(email) });
  const sealed = await accounts.keys.createWallet({
    userId,
    walletId,
    password,
    ...(request.sealTo === undefined ? {} : { sealTo: request.sealTo }),
  });

  try {
    return await accounts.database.transaction(async (sql) => {
      await accounts.codes.consume(sql, email, 'register', verificationCode, origin.address);
      await insertUser(sql, { userId, email, passwordHash, language: origin.language });
      await consumeInvite(sql, inviteCode, userId, accounts.local);
      const { address, sealedKey } = sealed;
      await insertWallet(sql, { id: walletId, userId, kind: 'personal', address, sealedKey });
      await openBook(sql, { userId, walletId, kind: 'personal', name: 'Personal' });
      for (let count = 0; count < INVITES_PER_USER; count += 1) await createInvite(sql, { ownerId: userId, uses: 1 });
      const token = (await accounts.sessions.create(sql, { id: userId, passwordHash, ...origin }, 'registered'))!;
      await rememberDevice(sql, userId, origin);
      await enqueueMail(sql, accounts.secret, { ...welcomeMail(origin.language, sealed.address), to: email });
      const walletInfo = await accounts.loadWalletInfo(sql, userId);
      return { token, email, walletInfo, wallet: { address: sealed.address, privateKey: sealed.privateKey } };
    });
  } catch (error) {
    // Somebody registered the address between the check and the commit; said like any code that no longer works.
    if (violates(error, 'users_email_once')) throw new AppError('WRONG_CODE', undefined, { cause: error });
    throw error;
  }
}

async function insertUser(
  sql: Sql,
  user: { userId: string; email: string; passwordHash: string; language: Language },
): Promise<void> {
  for (let attempt = 0; attempt < DISPLAY_NAME_TRIES; attempt += 1) {
    const rows = await sql.write(
      `insert into users (id, email, email_key, password_hash, display_name, language) values ($1, $2, $3, $4, $5, $6)
       on conflict on constraint users_display_name_once do nothing returning 1`,
      [user.userId, user.email, emailKey(user.email), user.passwordHash, generateDisplayName(attempt), user.language],
    );
    if (rows.length > 0) return;
  }
  throw new Error('no free display name was found');
}
