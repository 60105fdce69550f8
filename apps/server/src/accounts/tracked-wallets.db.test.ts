import { describe, expect, it } from 'vitest';
import { useTestDatabase } from '../platform/postgres-for-test.ts';
import type { Database } from '../platform/postgres.ts';
import {
  loadTrackedName,
  loadTrackedWallets,
  TRACKED_WALLETS_MAX,
  trackWallet,
  untrackWallet,
} from './tracked-wallets.ts';

let database: Database;
useTestDatabase((opened) => {
  database = opened;
});

async function aUser(): Promise<string> {
  const rows = await database.write<{ id: string }>(
    `insert into users (email, email_key, password_hash, display_name)
     select e, e, '', e from (select gen_random_uuid()::text as e) x returning id`,
  );
  return rows[0]!.id;
}

describe('tracked wallets', () => {
  it('have a name that only the user who gave it is shown', async () => {
    const [ann, bob] = [await aUser(), await aUser()];
    await trackWallet(database, ann, 'Wallet1', 'whale');
    await trackWallet(database, bob, 'Wallet1', 'rug maker');
    expect(await loadTrackedName(database, ann, 'Wallet1')).toBe('whale');
    expect((await loadTrackedWallets(database, bob)).map(({ name }) => name)).toEqual(['rug maker']);
    await untrackWallet(database, bob, 'Wallet1');
    expect(await loadTrackedWallets(database, bob)).toEqual([]);
    expect(await loadTrackedName(database, ann, 'Wallet1')).toBe('whale');
  });

  it('are renamed in their place', async () => {
    const ann = await aUser();
    await trackWallet(database, ann, 'Wallet1', 'whale');
    await trackWallet(database, ann, 'Wallet2', 'second');
    await trackWallet(database, ann, 'Wallet1', 'shark');
    expect((await loadTrackedWallets(database, ann)).map(({ name }) => name)).toEqual(['shark', 'second']);
  });

  it('are at most as many as allowed, also where many are added at once', async () => {
    const ann = await aUser();
    const adding = Array.from({ length: TRACKED_WALLETS_MAX + 5 }, (_, index) =>
      trackWallet(database, ann, `Wallet${index}`, 'x').then(
        () => 'added',
        (error: { errorName?: string }) => error.errorName,
      ),
    );
    const outcomes = await Promise.all(adding);
    expect(outcomes.filter((outcome) => outcome === 'TRACKED_WALLETS_FULL')).toHaveLength(5);
    const tracked = await loadTrackedWallets(database, ann);
    expect(tracked).toHaveLength(TRACKED_WALLETS_MAX);
    await trackWallet(database, ann, tracked[0]!.address, 'renamed');
    expect((await loadTrackedWallets(database, ann))[0]!.name).toBe('renamed');
  });
});
