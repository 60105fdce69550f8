import type { SignerClient } from '@hunter/signer-client/signer-client';
import { recordAudit } from '../platform/audit.ts';
import { systemClock } from '../platform/clock.ts';
import { FIRST_WALLET, loadWalletsNotUnder, replaceSealedKey } from '../ledger/wallets.ts';
import type { Database } from '../platform/postgres.ts';

const PAGE_SIZE = 500;
/** Each pass over all wallets meets fewer that changed under it; more than a few means that something is wrong. */
const PASSES_MAX = 10;
/** Longer than a registration can take: a wallet sealed just before the rotation is in the database by then. */
const SETTLE_MS = 35_000;

export type Rotation = { keyId: string; rewrapped: number; retired: string[] };

type RotatingSigner = Pick<SignerClient, 'status' | 'rotate' | 'rewrap' | 'retireKey' | 'latestSealedKey'>;

/**
 * Moves every wallet under a new key while the product runs. One that was interrupted is carried on before a new key
 * is made, so it can be started again at any time. Old keys are retired once no wallet needs them.
 */
export async function rotateKeys(
  database: Database,
  signer: RotatingSigner,
  settleMs: number = SETTLE_MS,
): Promise<Rotation> {
  const before = await signer.status();
  const interrupted = before.keyIds.length > 1;
  const keyId = interrupted ? before.currentKeyId : (await signer.rotate()).keyId;
  let rewrapped = await rewrapUntilNoneIsLeft(database, signer, keyId);
  await systemClock.pause(settleMs);
  rewrapped += await rewrapUntilNoneIsLeft(database, signer, keyId);
  const retired: string[] = [];
  for (const old of (await signer.status()).keyIds.filter((id) => id !== keyId)) {
    await signer.retireKey(old);
    retired.push(old);
  }
  await recordAudit(database, { userId: null, event: 'keys-rotated', address: 'operator', detail: keyId });
  return { keyId, rewrapped, retired };
}

async function rewrapUntilNoneIsLeft(database: Database, signer: RotatingSigner, keyId: string): Promise<number> {
  let rewrapped = 0;
  for (let pass = 0; pass < PASSES_MAX; pass += 1) {
    const { moved, left } = await rewrapAll(database, signer, keyId);
    rewrapped += moved;
    if (left === 0) return rewrapped;
  }
  throw new Error('some wallets could not be moved to the new key');
}

async function rewrapAll(
  database: Database,
  signer: RotatingSigner,
  keyId: string,
): Promise<{ moved: number; left: number }> {
  let after = FIRST_WALLET;
  let moved = 0;
  let left = 0;
  for (;;) {
    const page = await loadWalletsNotUnder(database, keyId, after, PAGE_SIZE);
    if (page.length === 0) return { moved, left };
    const outcomes = await signer.rewrap(
      page.map(({ userId, walletId, sealedKey }) => ({ userId, walletId, sealedKey })),
    );
    for (const [index, row] of page.entries()) {
      const outcome = outcomes[index];
      if (outcome && 'sealedKey' in outcome && (await replaceSealedKey(database, row, outcome.sealedKey))) {
        moved += 1;
        continue;
      }
      left += 1;
      // Either a password change came in between and stores the newer sealed key itself, or a crash kept it from doing so,
      // and then it would be outdated for ever. The next pass takes what stands there then.
      if (outcome && 'denied' in outcome && outcome.denied.code === 'ENVELOPE_OUTDATED') {
        const latest = await signer.latestSealedKey({ userId: row.userId, walletId: row.walletId });
        if (latest.sealedKey !== null) await replaceSealedKey(database, row, latest.sealedKey);
      }
    }
    after = page.at(-1)!.walletId;
  }
}
