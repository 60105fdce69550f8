import type { Address } from '@hunter/solana/address';
import { transferSol } from '@hunter/solana/system-program';
import { beforeEach, describe, expect, it } from 'vitest';
import { Denied } from '../denial.ts';
import { EXPORT_PAUSE_AFTER_RESET_MS } from '../limits/export-rules.ts';
import { aSigner, EXPORT_DELAY_MS, type TestSigner } from '../fixtures/a-signer.ts';
import { buy, pool, transactionOf } from '../fixtures/transaction-scenes.ts';
import { Secret } from '../keys/secret.ts';
import type { ShownKey } from '../signer.ts';

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
    // A second reset starts the pause anew.
    test.clock.now = until;
    const again = await test.signer.resetPassword(owner, test.signer.latestSealedKey(owner)!, STOLEN);
    expect(await exported(again, STOLEN)).toEqual({ ...refused, until: until + EXPORT_PAUSE_AFTER_RESET_MS });
  });

  it('lets keys beyond those of a day wait for their turn, across restarts, and stops nothing', async () => {
    test = aSigner({ exportsPerDay: 2 });
    const wallets: { of: typeof owner; sealedKey: string; address: string; privateKey: ShownKey }[] = [];
    for (const index of [0, 1, 2, 3]) {
      const of = { userId: `user-${index}`, walletId: `wallet-${index}` };
      wallets.push({ of, ...(await test.signer.createWallet(of, PASSWORD)) });
    }
    const show = async (index: number): Promise<string | number> => {
      const { of, sealedKey, privateKey } = wallets[index]!;
      const shown = await test.signer.exportKey(of, sealedKey, PASSWORD).catch((error: unknown) => {
        if (error instanceof Denied) return error.denial.until;
        throw error;
      });
      return shown === privateKey ? 'SHOWN' : (shown as number);
    };
    const DAY_MS = 24 * 60 * 60_000;
    const start = test.clock.now;
    expect([await show(0), await show(0), await show(0)]).toEqual(['SHOWN', 'SHOWN', 'SHOWN']);
    test.clock.now += 1;
    expect(await show(1)).toBe('SHOWN');
    test = await test.reopen();
    await test.state.compact();
    test = await test.reopen();
    expect(await show(1)).toBe('SHOWN');
    test.clock.now += 1;
    expect([await show(2), await show(2), await show(3)]).toEqual([start + DAY_MS, start + DAY_MS, start + DAY_MS + 1]);
    expect(test.alarms.shift()).toEqual({ msg: 'half of the keys of 24 hours are shown' });
    const asked = test.alarms.map((alarm) => (alarm as { address: string }).address);
    expect(asked).toEqual([wallets[2]!.address, wallets[3]!.address]);
    expect(test.alarms[0]).toMatchObject({
      msg: `too many keys are asked for within 24 hours; this one is shown at ${new Date(start + DAY_MS).toISOString()}`,
    });
    test = await test.reopen();
    await test.state.compact();
    test = await test.reopen();
    expect(test.signer.status()).toMatchObject({ stopped: [], waitingExports: 2 });
    test.clock.now = start + DAY_MS;
    expect([await show(2), await show(3)]).toEqual(['SHOWN', start + DAY_MS + 1]);
    test.clock.now += 1;
    expect([await show(3), test.signer.status().waitingExports]).toEqual(['SHOWN', 0]);
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

  it('shows the key of a large wallet only a day after it was asked for, unless that is canceled', async () => {
    const worthLamports = 50n * 1_000_000_000n;
    const proof = { exportId: null, factor: null, sealTo: null, worthLamports };
    const ask = (more = {}, password = PASSWORD): Promise<unknown> =>
      test.signer.exportKey(owner, wallet.sealedKey, password, { ...proof, ...more }).catch((error: unknown) => {
        if (error instanceof Denied) return { code: error.denial.code, until: error.denial.until };
        throw error;
      });
    const until = test.clock.now + EXPORT_DELAY_MS;
    expect(await ask({ worthLamports: worthLamports - 1n })).toBe(wallet.privateKey);
    expect(await ask()).toEqual({ code: 'EXPORT_DELAYED', until });
    test = await test.reopen();
    await test.state.compact();
    test = await test.reopen();
    test.clock.now = until - 1;
    // Saying now that there is little in it does not end the wait, and neither does asking again move it.
    expect(await ask({ worthLamports: 0n })).toEqual({ code: 'EXPORT_DELAYED', until });
    test.clock.now = until;
    expect(await ask({}, 'a guess')).toMatchObject({ code: 'BAD_PASSWORD' });
    expect(await ask()).toBe(wallet.privateKey);
    // Once for one wait.
    expect(await ask()).toMatchObject({ code: 'EXPORT_DELAYED', until: until + EXPORT_DELAY_MS });
    await test.signer.exports.cancel(owner, wallet.sealedKey);
    test.clock.now += EXPORT_DELAY_MS;
    expect(await ask()).toMatchObject({ code: 'EXPORT_DELAYED', until: test.clock.now + EXPORT_DELAY_MS });
    // Not fetched within three days after its time: asked for anew.
    test.clock.now += 4 * EXPORT_DELAY_MS;
    expect(await ask()).toMatchObject({ code: 'EXPORT_DELAYED', until: test.clock.now + EXPORT_DELAY_MS });
  });

  it('delays the key of a wallet that moved much today, whatever the server says that it holds', async () => {
    const { address, sealedKey } = await test.signer.createWallet({ userId: 'u', walletId: 'busy' }, PASSWORD);
    const own = address as Address;
    const scene = buy(own);
    scene.instructions[1] = transferSol({ from: own, to: pool.address, lamports: 60n * 1_000_000_000n });
    scene.policy.maxLamportsOut = String(61n * 1_000_000_000n);
    const of = { userId: 'u', walletId: 'busy' };
    await test.signer.sign([{ ...of, sealedKey, transaction: transactionOf(scene), policy: scene.policy }]);
    await expect(test.signer.exportKey(of, sealedKey, PASSWORD)).rejects.toThrow('EXPORT_DELAYED');
  });
});

describe('a frozen wallet', () => {
  it('shows no key until the password unfreezes it, and forgets an export that waited', async () => {
    const large = { exportId: null, factor: null, sealTo: null, worthLamports: 10n ** 12n };
    await expect(test.signer.exportKey(owner, wallet.sealedKey, PASSWORD, large)).rejects.toThrow('EXPORT_DELAYED');
    await test.signer.freeze(owner, wallet.sealedKey);
    test = await test.reopen();
    await test.state.compact();
    test = await test.reopen();
    test.clock.now += EXPORT_DELAY_MS;
    expect(await exported(wallet.sealedKey, PASSWORD)).toMatchObject({ code: 'FROZEN' });
    const unfreeze = (password: string, sealedKey = wallet.sealedKey) =>
      test.signer.unfreeze(owner, sealedKey, password, { id: 'proof', factor: null });
    await expect(unfreeze('a guess')).rejects.toThrow('BAD_PASSWORD');
    const reset = await test.signer.resetPassword(owner, wallet.sealedKey, STOLEN);
    await expect(unfreeze(STOLEN, reset)).rejects.toThrow('UNFREEZE_AFTER_RESET');
    test.clock.now += EXPORT_PAUSE_AFTER_RESET_MS;
    await unfreeze(STOLEN, reset);
    expect(await exported(reset, STOLEN)).toBe(wallet.privateKey);
  });
});
