import { beforeEach, describe, expect, it } from 'vitest';
import { Denied } from './denial.ts';
import { EXPORT_PAUSE_AFTER_RESET_MS } from './export-rules.ts';
import { aSigner, type TestSigner } from './fixtures/a-signer.ts';
import { Secret } from './secret.ts';
import type { ShownKey } from './signer.ts';

const PASSWORD = 'correct horse battery';
const STOLEN = 'set by the thief';
const owner = { userId: 'user-1', walletId: 'wallet-1' };

let test: TestSigner;
let wallet: { sealedKey: string; privateKey: ShownKey };

beforeEach(async () => {
  test = aSigner();
  wallet = await test.signer.createWallet(owner, PASSWORD);
});

const exported = (sealedKey: string, password: string): Promise<unknown> =>
  test.signer.exportKey(owner, sealedKey, password).catch((error: unknown) => {
    if (error instanceof Denied) return { code: error.denial.code, until: error.denial.until };
    throw error;
  });

describe('key export', () => {
  it('shows the key for the password, also right after a change with the old password', async () => {
    expect(await exported(wallet.sealedKey, PASSWORD)).toBe(wallet.privateKey);
    const changed = await test.signer.changePassword(owner, wallet.sealedKey, PASSWORD, 'another password');
    expect(await exported(changed, 'another password')).toBe(wallet.privateKey);
  });

  it('shows no key for 72 hours to a thief who reset the password with the owner’s mailbox', async () => {
    const reset = await test.signer.resetPassword(owner, wallet.sealedKey, STOLEN);
    const until = test.clock.now + EXPORT_PAUSE_AFTER_RESET_MS;
    const refused = { code: 'EXPORT_AFTER_RESET', until };
    expect(await exported(reset, STOLEN)).toEqual(refused);
    test = await test.reopen();
    test.clock.now = until - 1;
    expect(await exported(reset, STOLEN)).toEqual(refused);
    expect(await exported(reset, 'a guess')).toMatchObject({ code: 'BAD_PASSWORD' });
    test.clock.now = until;
    expect(await exported(reset, STOLEN)).toBe(wallet.privateKey);
  });

  it('gives a hostile server no way around the pause by other calls', async () => {
    const until = test.clock.now + EXPORT_PAUSE_AFTER_RESET_MS;
    const refused = { code: 'EXPORT_AFTER_RESET', until };
    const reset = await test.signer.resetPassword(owner, wallet.sealedKey, STOLEN);
    // The sealed key from before the reset no longer opens, with either password.
    expect(await exported(wallet.sealedKey, PASSWORD)).toMatchObject({ code: 'ENVELOPE_OUTDATED' });
    expect(await exported(wallet.sealedKey, STOLEN)).toMatchObject({ code: 'ENVELOPE_OUTDATED' });
    // A change with the password that the reset set does not end the pause.
    const changed = await test.signer.changePassword(owner, reset, STOLEN, 'another');
    expect(await exported(changed, 'another')).toEqual(refused);
    const [rewrapped] = await test.signer.rewrap([{ ...owner, sealedKey: changed }]);
    expect(await exported((rewrapped as { sealedKey: string }).sealedKey, 'another')).toEqual(refused);
    expect(await exported(test.signer.latestSealedKey(owner)!, 'another')).toEqual(refused);
    // Neither does making a wallet under the same ids: it has another key.
    const other = await test.signer.createWallet(owner, STOLEN);
    expect(await exported(other.sealedKey, STOLEN)).toMatchObject({ code: 'ENVELOPE_OUTDATED' });
    // A second reset starts the pause anew.
    test.clock.now = until;
    const again = await test.signer.resetPassword(owner, test.signer.latestSealedKey(owner)!, STOLEN);
    expect(await exported(again, STOLEN)).toEqual({ ...refused, until: until + EXPORT_PAUSE_AFTER_RESET_MS });
  });

  it('stops all signing when more wallets than usual are exported in a day, across restarts', async () => {
    test = aSigner({ exportsPerDay: 2 });
    const wallets: { of: typeof owner; sealedKey: string; privateKey: ShownKey }[] = [];
    for (const index of [0, 1, 2]) {
      const of = { userId: `user-${index}`, walletId: `wallet-${index}` };
      wallets.push({ of, ...(await test.signer.createWallet(of, PASSWORD)) });
    }
    const show = async (index: number): Promise<string> => {
      const { of, sealedKey, privateKey } = wallets[index]!;
      const shown = await test.signer.exportKey(of, sealedKey, PASSWORD).catch((error: unknown) => {
        if (error instanceof Denied) return error.denial.code;
        throw error;
      });
      return shown === privateKey ? 'SHOWN' : (shown as string);
    };
    expect([await show(0), await show(0), await show(0), await show(1)]).toEqual(['SHOWN', 'SHOWN', 'SHOWN', 'SHOWN']);
    test = await test.reopen();
    await test.state.compact();
    test = await test.reopen();
    expect(await show(1)).toBe('SHOWN');
    expect(test.state.stopped.size).toBe(0);
    expect(await show(2)).toBe('KILL_SWITCH');
    expect(await show(0)).toBe('KILL_SWITCH');
    test = await test.reopen();
    expect(test.state.stopped.size).toBe(4);
    // Once the operator has looked, a day later the count starts again.
    await test.signer.setKillSwitch(false, null);
    test.clock.now += 24 * 60 * 60_000;
    expect(await show(2)).toBe('SHOWN');
  });

  it('counts every password change of a wallet sealed before resets were told apart', async () => {
    const passwordHash = test.vault.openMetadata(owner, test.vault.read(wallet.sealedKey)).passwordHash;
    const changedAt = test.clock.now - 1_000;
    const metadata = { passwordHash, createdAt: 0, passwordChangedAt: changedAt } as never;
    const old = test.vault.create(owner, new Secret(Buffer.alloc(32, 1)), metadata);
    expect(await exported(old.sealedKey, PASSWORD)).toEqual({
      code: 'EXPORT_AFTER_RESET',
      until: changedAt + EXPORT_PAUSE_AFTER_RESET_MS,
    });
  });
});
