import { AppError } from '@hunter/contract/app-error';
import { API_KEYS_MAX } from '@hunter/contract/calls/api-keys';
import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import { printSol } from '@hunter/domain/numbers/lamports';
import { loadPersonalWallet } from '../ledger/wallets.ts';
import { recordAudit } from '../platform/audit.ts';
import type { Accounts, Origin } from './accounts.ts';
import { type ApiKeyRow, countLiveKeys, deleteApiKey, insertApiKey, listApiKeys, newKey } from './api-key-store.ts';
import { isNetwork } from './address-list.ts';
import { requirePassword } from './passwords.ts';

type SignedIn = { userId: string; sessionId: string; email: string };
type Shown = CallReply<'getMyApiKeys'>['lists'][number];

export async function loadApiKeys(accounts: Accounts, userId: string): Promise<Shown[]> {
  const nowMs = accounts.clock.nowMs();
  const rows = await listApiKeys(accounts.database, new Date(nowMs), userId);
  return rows.map((row) => show(row, nowMs));
}

function show(row: ApiKeyRow, nowMs: number): Shown {
  return {
    id: row.id,
    name: row.name,
    scope: row.scope,
    hint: row.hint,
    createdAt: row.createdAt.getTime(),
    expiresAt: row.expiresAt.getTime(),
    expired: row.expiresAt.getTime() <= nowMs,
    lastUsedAt: row.lastUsedAt?.getTime() ?? null,
    lastUsedFrom: row.lastUsedFrom,
    requestsPerSecond: row.requestsPerSecond,
    dailySol: row.dailyLamports === null ? null : printSol(row.dailyLamports),
    spentTodaySol: printSol(row.spentTodayLamports),
    addresses: [...row.addresses],
  };
}

/** Throws WRONG_PASSWORD, SECOND_FACTOR_REQUIRED, SECOND_FACTOR_WRONG, API_KEY_LIMIT. The answer holds the key, which is nowhere else. */
export async function createApiKey(
  accounts: Accounts,
  session: SignedIn,
  request: CallParsedRequest<'createApiKey'>,
  origin: Origin,
): Promise<CallReply<'createApiKey'>> {
  const { scope, dailySol, addresses } = request;
  if ((scope === 'trade') !== (dailySol !== undefined)) {
    throw new AppError('INVALID_INPUT', { field: 'dailySol', reason: dailySol === undefined ? 'required' : 'unknown' });
  }
  if (!addresses.every(isNetwork)) throw new AppError('INVALID_INPUT', { field: 'addresses', reason: 'format' });
  await requirePassword(accounts, session, request.password, { event: 'api-key-failed', address: origin.address });
  const wallet = await loadPersonalWallet(accounts.database, session.userId);
  // Where a factor is enrolled the signer refuses without it; where none is, there is nothing to check.
  await accounts.keys.factors(wallet, (client, current) =>
    client.checkApiKey({ ...current, id: request.id, scope, factor: request.factor }),
  );
  const made = newKey();
  const createdAt = new Date(accounts.clock.nowMs());
  const rows = await accounts.database.transaction(async (sql) => {
    if ((await countLiveKeys(sql, createdAt, session.userId)) >= API_KEYS_MAX) {
      throw new AppError('API_KEY_LIMIT', { most: API_KEYS_MAX });
    }
    // All keys may have been deleted since the password was checked: this one must not come after them.
    if (!(await accounts.sessions.isOpen(sql, session.sessionId))) throw new AppError('UNAUTHENTICATED');
    await insertApiKey(sql, {
      ...made,
      ...request,
      userId: session.userId,
      dailyLamports: dailySol ?? null,
      createdAt,
    });
    await recordAudit(sql, {
      userId: session.userId,
      event: 'api-key-created',
      address: origin.address,
      detail: request.name,
    });
    await accounts.tell(sql, session.userId, { kind: 'api-key-created', name: request.name, scope });
    return listApiKeys(sql, createdAt, session.userId);
  });
  return {
    key: made.key,
    apiKey: show(
      rows.find(({ id }) => id === request.id)!,
      createdAt.getTime(),
    ),
  };
}

/** Throws NOT_FOUND. */
export async function revokeApiKey(accounts: Accounts, userId: string, id: string, origin: Origin): Promise<void> {
  await accounts.database.transaction(async (sql) => {
    const name = await deleteApiKey(sql, userId, id);
    if (name === null) throw new AppError('NOT_FOUND');
    await recordAudit(sql, { userId, event: 'api-key-revoked', address: origin.address, detail: name });
  });
}
