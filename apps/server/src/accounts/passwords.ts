import { AppError } from '@hunter/contract/app-error';
import type { SecondFactor } from '@hunter/signer-client/factor-client';
import type { ShownKey } from '@hunter/signer-client/signer-client';
import type { SignerError } from '@hunter/signer-client/signer-error';
import { readDecimal } from '@hunter/domain/numbers/decimal';
import { SOL_DECIMALS } from '@hunter/domain/numbers/lamports';
import type { Accounts, Origin } from './accounts.ts';
import { recordAudit } from '../platform/audit.ts';
import { loadCostOf } from '../ledger/positions.ts';
import { loadPersonalWallet } from '../ledger/wallets.ts';
import { printMinute } from './signer-wallet-keys.ts';

type SignedIn = { userId: string; sessionId: string; email: string };

/**
 * Guessing an own password over a stolen session is slowed down like guessing at the door, by session: only the password opens another
 * one, so that a thief gets no more tries and cannot use up the owner's. The signer counts wrong ones by wallet; whatever passes a
 * password on to it therefore asks here first. Throws WRONG_PASSWORD or RATE_LIMITED.
 */
export async function requirePassword(
  accounts: Accounts,
  session: Pick<SignedIn, 'userId' | 'sessionId'>,
  password: string,
  failure: PasswordFailure,
): Promise<void> {
  const { sessionId } = session;
  // One after the other: one under way counts as failed, and right ones at once would slow each other down.
  const before = underWay.get(sessionId) ?? Promise.resolve();
  const check = before.then(() => requireNow(accounts, session, password, failure));
  const settled = check.catch(() => {});
  underWay.set(sessionId, settled);
  try {
    await check;
  } finally {
    if (underWay.get(sessionId) === settled) underWay.delete(sessionId);
  }
}

/** The last check of each session that has one under way. */
const underWay = new Map<string, Promise<void>>();

type PasswordFailure = {
  event:
    | 'password-change-failed'
    | 'key-export-failed'
    | 'api-key-failed'
    | 'security-change-failed'
    | 'withdrawal-refused';
  address: string;
};

async function requireNow(
  { throttles: { device: throttle }, database, hasher }: Accounts,
  { userId, sessionId }: Pick<SignedIn, 'userId' | 'sessionId'>,
  password: string,
  failure: PasswordFailure,
): Promise<void> {
  const key = `own\n${sessionId}`;
  const pause = await throttle.begin(key);
  if (pause > 0) throw new AppError('RATE_LIMITED', { retryAfterSeconds: pause });
  const [user] = await database.query<{ password_hash: string }>(`select password_hash from users where id = $1`, [
    userId,
  ]);
  if (!(await hasher.verify(password, user?.password_hash ?? null, { known: userId }))) {
    await recordAudit(database, { userId, ...failure, detail: 'WRONG_PASSWORD' });
    throw new AppError('WRONG_PASSWORD');
  }
  await throttle.succeeded(key);
}

/** The answer holds the private key: it is sent once and neither stored nor logged. */
export async function exportKey(
  accounts: Accounts,
  session: SignedIn,
  request: {
    password: string;
    verificationCode: string;
    id?: string | undefined;
    factor?: SecondFactor | undefined;
    sealTo?: string | undefined;
  },
  origin: Origin,
): Promise<{ address: string; privateKey: ShownKey }> {
  await requirePassword(accounts, session, request.password, {
    event: 'key-export-failed',
    address: origin.address,
  });
  await accounts.codes.check(session.email, 'export', request.verificationCode, origin.address);
  const wallet = await loadPersonalWallet(accounts.database, session.userId);
  const { tokenBalance } = await accounts.loadWalletInfo(accounts.database, session.userId);
  const sol = readDecimal(tokenBalance, SOL_DECIMALS);
  const key = await accounts.keys
    .exportKey(wallet, {
      password: request.password,
      worthLamports: (sol.ok ? sol.raw : 0n) + (await loadCostOf(accounts.database, session.userId)),
      ...(request.id === undefined ? {} : { exportId: request.id }),
      ...(request.factor === undefined ? {} : { factor: request.factor }),
      ...(request.sealTo === undefined ? {} : { sealTo: request.sealTo }),
    })
    .catch(async (error: unknown) => {
      if (isDelayed(error)) await tellDelayed(accounts, session, request.verificationCode, error, origin);
      throw error;
    });
  if (!key) throw new AppError('WRONG_PASSWORD');
  // The event must be on record before anybody sees the key.
  await accounts.database.transaction(async (sql) => {
    await accounts.codes.consume(sql, session.email, 'export', request.verificationCode, origin.address);
    await recordAudit(sql, { userId: session.userId, event: 'key-exported', address: origin.address });
    await accounts.tell(sql, session.userId, { kind: 'key-exported' });
  });
  return { address: wallet.address, privateKey: key.privateKey };
}

type Delayed = AppError & { cause: SignerError & { denied: { until: number } } };

function isDelayed(error: unknown): error is Delayed {
  return error instanceof AppError && error.errorName === 'KEY_EXPORT_DELAYED';
}

/** Each time it is asked for: the owner has to hear of it while it can be canceled. */
async function tellDelayed(
  accounts: Accounts,
  { userId, email }: SignedIn,
  code: string,
  { cause }: Delayed,
  origin: Origin,
): Promise<void> {
  const { until } = cause.denied;
  await accounts.database.transaction(async (sql) => {
    await accounts.codes.consume(sql, email, 'export', code, origin.address);
    const detail = printMinute(until);
    await recordAudit(sql, { userId, event: 'key-export-held', address: origin.address, detail });
    await accounts.tell(sql, userId, { kind: 'key-export-held', until });
  });
}

export async function cancelKeyExport(accounts: Accounts, { userId }: SignedIn, origin: Origin): Promise<void> {
  await accounts.keys.cancelExport(await loadPersonalWallet(accounts.database, userId));
  await recordAudit(accounts.database, { userId, event: 'key-export-canceled', address: origin.address });
}
