import { AppError } from '@hunter/contract/app-error';
import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import type { EnrolledFactors, FactorClient, SecondFactor } from '@hunter/signer-client/factor-client';
import { SignerError } from '@hunter/signer-client/signer-error';
import { randomUUID } from 'node:crypto';
import { loadPersonalWallet } from '../ledger/wallets.ts';
import { recordAudit } from '../platform/audit.ts';
import type { Accounts, Origin } from './accounts.ts';
import type { MailedEvent } from './security-event.ts';
import { requirePassword } from './passwords.ts';
import { printMinute } from './signer-wallet-keys.ts';

// The signer keeps the factors and verifies every proof; here they are passed on, written into the audit log and mailed.

type SignedIn = { userId: string; sessionId: string };

/** What the audit log calls it, and what the owner is told. */
const TOLD = {
  'factor-enrolled': (name) => ({ kind: 'factor-added', name }),
  'factor-removed': (name) => ({ kind: 'factor-removed', name }),
  'recovery-codes-renewed': () => ({ kind: 'recovery-codes-renewed' }),
  'login-rule-changed': () => ({ kind: 'login-rule-changed' }),
  'recovery-canceled': () => ({ kind: 'factor-recovery-canceled' }),
  'factors-recovered': () => ({ kind: 'factors-recovered' }),
} as const satisfies Record<string, (name: string) => MailedEvent>;
type Current = { userId: string; walletId: string; sealedKey: string };
type Ask<Result> = (factors: FactorClient, current: Current) => Promise<Result>;

export async function loadFactors(accounts: Accounts, session: SignedIn): Promise<CallReply<'getMyFactors'>> {
  const wallet = await loadPersonalWallet(accounts.database, session.userId);
  const factors = await accounts.keys.factors(wallet, (client, current) => client.list(current));
  return { ...factors, address: wallet.address };
}

function requireOwnPassword(
  accounts: Accounts,
  session: SignedIn,
  password: string,
  { address }: Origin,
): Promise<void> {
  return requirePassword(accounts, session, password, { event: 'security-change-failed', address });
}

/** Told by mail as well: whoever did not do it has to hear of it outside the app. */
async function change<Result>(
  accounts: Accounts,
  session: SignedIn,
  origin: Origin,
  told: { event: keyof typeof TOLD; name?: string; password: string | null },
  ask: Ask<Result>,
): Promise<Result> {
  if (told.password !== null) await requireOwnPassword(accounts, session, told.password, origin);
  const wallet = await loadPersonalWallet(accounts.database, session.userId);
  const result = await accounts.keys.factors(wallet, ask);
  const { event, name = '' } = told;
  await accounts.database.transaction(async (sql) => {
    await recordAudit(sql, { userId: session.userId, event, address: origin.address, detail: name });
    await accounts.tell(sql, session.userId, TOLD[event](name));
  });
  return result;
}

export async function startTotp(
  accounts: Accounts,
  session: SignedIn,
  request: CallParsedRequest<'startTotp'>,
  origin: Origin,
) {
  await requireOwnPassword(accounts, session, request.password, origin);
  const wallet = await loadPersonalWallet(accounts.database, session.userId);
  return accounts.keys.factors(wallet, (client, current) => client.startTotp({ ...current, ...request }));
}

export function confirmTotp(
  accounts: Accounts,
  session: SignedIn,
  request: CallParsedRequest<'confirmTotp'>,
  origin: Origin,
) {
  const { name, password } = request;
  const told = { event: 'factor-enrolled', name, password } as const;
  return change(accounts, session, origin, told, (client, current) => client.confirmTotp({ ...current, ...request }));
}

export function enrolPasskey(
  accounts: Accounts,
  session: SignedIn,
  request: CallParsedRequest<'enrolPasskey'>,
  origin: Origin,
) {
  const { name, password } = request;
  const told = { event: 'factor-enrolled', name, password } as const;
  return change(accounts, session, origin, told, (client, current) => client.enrolPasskey({ ...current, ...request }));
}

export async function removeFactor(
  accounts: Accounts,
  session: SignedIn,
  request: CallParsedRequest<'removeFactor'>,
  origin: Origin,
): Promise<void> {
  const { passkeys, totp } = await loadFactors(accounts, session);
  const name = [...passkeys, ...(totp ? [totp] : [])].find((factor) => factor.id === request.id)?.name;
  if (name === undefined) throw new AppError('NOT_FOUND');
  const told = { event: 'factor-removed', name, password: request.password } as const;
  await change(accounts, session, origin, told, (client, current) => client.remove({ ...current, ...request }));
}

export function renewRecoveryCodes(
  accounts: Accounts,
  session: SignedIn,
  request: CallParsedRequest<'renewRecoveryCodes'>,
  origin: Origin,
) {
  const told = { event: 'recovery-codes-renewed', password: request.password } as const;
  return change(accounts, session, origin, told, (client, current) => client.renewCodes({ ...current, ...request }));
}

export async function setLoginRule(
  accounts: Accounts,
  session: SignedIn,
  request: CallParsedRequest<'setLoginRule'>,
  origin: Origin,
): Promise<void> {
  const told = { event: 'login-rule-changed', password: request.password } as const;
  await change(accounts, session, origin, told, (client, current) => client.setLoginRule({ ...current, ...request }));
}

export async function startRecovery(
  accounts: Accounts,
  session: SignedIn,
  { password }: { password: string },
  origin: Origin,
): Promise<{ readyAt: number }> {
  await requireOwnPassword(accounts, session, password, origin);
  const wallet = await loadPersonalWallet(accounts.database, session.userId);
  const { readyAt } = await accounts.keys.factors(wallet, (client, current) =>
    client.startRecovery({ ...current, password }),
  );
  const until = printMinute(readyAt);
  await accounts.database.transaction(async (sql) => {
    await recordAudit(sql, {
      userId: session.userId,
      event: 'recovery-started',
      address: origin.address,
      detail: until,
    });
    await accounts.tell(sql, session.userId, { kind: 'factor-recovery-started', until: readyAt });
  });
  return { readyAt };
}

export async function cancelRecovery(accounts: Accounts, session: SignedIn, origin: Origin): Promise<void> {
  const told = { event: 'recovery-canceled', password: null } as const;
  await change(accounts, session, origin, told, (client, current) => client.cancelRecovery(current));
}

export async function finishRecovery(
  accounts: Accounts,
  session: SignedIn,
  { password }: { password: string },
  origin: Origin,
): Promise<void> {
  const told = { event: 'factors-recovered', password } as const;
  await change(accounts, session, origin, told, async (client, current) => {
    try {
      await client.finishRecovery({ ...current, password });
    } catch (error) {
      const until = error instanceof SignerError && error.denied?.code === 'HELD' ? error.denied.until : undefined;
      if (until === undefined) throw error;
      throw new AppError('RECOVERY_WAITS', { until: printMinute(until) }, { cause: error });
    }
  });
}

/** After the password: where the user wants a factor for logging in, the signer verifies it. */
export async function requireLoginFactor(
  accounts: Accounts,
  userId: string,
  given: { factorId?: string | undefined; factor?: SecondFactor | undefined },
): Promise<void> {
  const wallet = await loadPersonalWallet(accounts.database, userId);
  await accounts.keys.factors(wallet, async (client, current) => {
    const enrolled = await client.list(current);
    if (!enrolled.loginRequired) return;
    if (given.factor === undefined) throw factorWanted(wallet.address, enrolled);
    await client.checkLogin({ ...current, id: given.factorId ?? randomUUID(), factor: given.factor });
  });
}

/** Names what a second try has to carry; said only to whoever knows the password. */
export function factorWanted(address: string, { passkeys, totp, rpId }: EnrolledFactors): AppError {
  return new AppError('LOGIN_FACTOR_REQUIRED', {
    factorId: randomUUID(),
    address,
    rpId,
    factors: [...(passkeys.length > 0 ? (['passkey'] as const) : []), ...(totp ? (['totp'] as const) : [])],
    credentialIds: passkeys.map(({ id }) => id),
  });
}
