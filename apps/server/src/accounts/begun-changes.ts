import { recordAudit } from '../platform/audit.ts';
import type { Sql } from '../platform/postgres.ts';
import { lockPersonalWallet, saveSealedKey, type SealedWallet } from '../ledger/wallets.ts';
import type { SessionEnd } from './sessions.ts';
import type { Accounts } from './accounts.ts';
import { endAccess } from './end-access.ts';
import { freeze } from './freeze.ts';
import { RESET_PAUSE_HOURS } from './reset-pause.ts';
import { whileSealing } from './sealing.ts';

// A password stands in two places: its hash here, for logging in, and inside the sealed key, where the signer checks it before money
// leaves. The signer changes first, and cannot be rolled back. So what it is going to be asked for is committed before; whoever finds
// that row later, with the wallet locked, completes the change where the signer has done it and drops it where it has not. That holds
// for the undoing of a reset, too: it is the change to the very hash of before the reset.

/** A live change holds the wallet's lock long before this; what is older was left by a process that died. */
const LEFT_AFTER_SECONDS = 10;
const BATCH = 100;

/** `sessionId` is the session that asked and stays open; null for a reset, which ends all. */
export type BegunChange = {
  userId: string;
  passwordHash: string;
  sealedBefore: string;
  sessionId: string | null;
  address: string;
};
export type EndedSessions = { sessions: string[]; why: SessionEnd };
type Deps = Pick<Accounts, 'keys' | 'sessions' | 'tell' | 'clock'>;

/** With the wallet locked. An earlier change is settled first: the sessions that ended with it. */
export async function beginChange(
  accounts: Deps,
  sql: Sql,
  wallet: SealedWallet,
  change: Pick<BegunChange, 'passwordHash' | 'sessionId' | 'address'>,
): Promise<EndedSessions> {
  const ended = await settle(accounts, sql, wallet);
  await insertBegun(accounts, sql, wallet, change);
  return ended;
}

/**
 * With the wallet locked. After an earlier change is settled, there may be nothing to undo any more: that one may have been the same,
 * and has then ended sessions as frozen.
 */
export async function beginUndo(
  accounts: Deps,
  sql: Sql,
  wallet: SealedWallet,
  address: string,
): Promise<{ ended: EndedSessions; passwordHash: string | null }> {
  const ended = await settle(accounts, sql, wallet);
  const [user] = await sql.query<{ hash: string | null }>(`select hash_before_reset as hash from users where id = $1`, [
    wallet.userId,
  ]);
  const passwordHash = user?.hash ?? null;
  if (passwordHash !== null) await insertBegun(accounts, sql, wallet, { passwordHash, sessionId: null, address });
  return { ended, passwordHash };
}

/**
 * With the newest key that the signer knows of: what was settled right before may have stored a newer one, and what was not may have
 * left an older one here. Either would say later that the signer has done what it was never asked for.
 */
async function insertBegun(
  { keys }: Deps,
  sql: Sql,
  wallet: SealedWallet,
  { passwordHash, sessionId, address }: Pick<BegunChange, 'passwordHash' | 'sessionId' | 'address'>,
): Promise<void> {
  const current = await lockPersonalWallet(sql, wallet.userId);
  const sealedBefore = (await keys.sealedSince(current))?.sealedKey ?? current.sealedKey;
  await sql.write(
    `insert into password_change (user_id, password_hash, sealed_before, session_id, address) values ($1, $2, $3, $4, $5)`,
    [wallet.userId, passwordHash, sealedBefore, sessionId, address],
  );
}

/** With the wallet locked: what was begun and not completed is begun no more. */
export async function takeBegun(sql: Sql, userId: string): Promise<BegunChange | null> {
  const rows = await sql.write<BegunChange>(
    `delete from password_change where user_id = $1 returning user_id as "userId", password_hash as "passwordHash",
       sealed_before as "sealedBefore", session_id as "sessionId", address`,
    [userId],
  );
  return rows[0] ?? null;
}

/** With the wallet locked, once the signer has sealed the key under the new password. */
export async function completeChange(
  accounts: Deps,
  sql: Sql,
  wallet: SealedWallet,
  change: BegunChange,
  sealedKey: string,
): Promise<EndedSessions> {
  const { userId, passwordHash, sessionId, address } = change;
  const event = sessionId === null ? 'password-reset' : 'password-changed';
  await saveSealedKey(sql, wallet.walletId, sealedKey);
  if (sessionId === null) await keepHashBeforeReset(sql, userId, new Date(accounts.clock.nowMs()));
  await sql.write(`update users set password_hash = $2 where id = $1`, [userId, passwordHash]);
  const sessions = await accounts.sessions.endOthers(sql, userId, sessionId);
  await endAccess(sql, userId);
  await recordAudit(sql, { userId, event, address });
  await accounts.tell(sql, userId, { kind: event });
  return { sessions, why: event };
}

/** With the wallet locked, once the signer has put the password of before the reset back. */
export async function completeUndo(
  accounts: Deps,
  sql: Sql,
  wallet: SealedWallet,
  { userId, passwordHash, address }: BegunChange,
  sealedKey: string,
): Promise<EndedSessions> {
  await saveSealedKey(sql, wallet.walletId, sealedKey);
  await sql.write(
    `update users set password_hash = $2, password_reset_at = null, hash_before_reset = null, first_reset_at = null,
       resets_refused_until = $3 where id = $1`,
    [userId, passwordHash, new Date(accounts.clock.nowMs() + RESET_PAUSE_HOURS * 3_600_000)],
  );
  const sessions = await freeze(sql, accounts, userId, { address });
  await recordAudit(sql, { userId, event: 'reset-undone', address });
  await accounts.tell(sql, userId, { kind: 'reset-undone' });
  return { sessions, why: 'frozen' };
}

/** What processes that died have left. */
export async function settlePasswordChanges(accounts: Deps & Pick<Accounts, 'database'>): Promise<void> {
  const left = await accounts.database.query<{ userId: string }>(
    `select user_id as "userId" from password_change where begun_at < now() - make_interval(secs => $1) order by begun_at limit $2`,
    [LEFT_AFTER_SECONDS, BATCH],
  );
  for (const { userId } of left) {
    const { sessions, why } = await whileSealing(accounts, `settle ${userId}`, async (sql) =>
      settle(accounts, sql, await lockPersonalWallet(sql, userId)),
    );
    accounts.sessions.forget(sessions, why);
  }
}

async function settle(accounts: Deps, sql: Sql, wallet: SealedWallet): Promise<EndedSessions> {
  const begun = await takeBegun(sql, wallet.userId);
  const sealed = begun && (await accounts.keys.sealedSince({ ...wallet, sealedKey: begun.sealedBefore }));
  if (!begun || !sealed) return { sessions: [], why: 'ended' };
  const complete = (await isUndo(sql, begun)) ? completeUndo : completeChange;
  return complete(accounts, sql, wallet, begun, sealed.sealedKey);
}

/** Hashes are salted: no other password has this one, nor the same password set anew. */
async function isUndo(sql: Sql, { userId, passwordHash }: BegunChange): Promise<boolean> {
  const rows = await sql.query(`select 1 from users where id = $1 and hash_before_reset = $2`, [userId, passwordHash]);
  return rows.length > 0;
}

/** A second reset must not put its own password in the place of the owner's. */
async function keepHashBeforeReset(sql: Sql, userId: string, now: Date): Promise<void> {
  await sql.write(
    `update users set password_reset_at = $2,
       hash_before_reset = case when first_reset_at > $2::timestamptz - make_interval(hours => $3)
                                then hash_before_reset else password_hash end,
       first_reset_at = case when first_reset_at > $2::timestamptz - make_interval(hours => $3) then first_reset_at else $2 end
     where id = $1`,
    [userId, now, RESET_PAUSE_HOURS],
  );
}
