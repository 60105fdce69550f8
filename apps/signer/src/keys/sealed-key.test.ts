import { createPrivateKey, createPublicKey } from 'node:crypto';
import { inspect } from 'node:util';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fromBase58 } from '../base58.ts';
import { Denied } from '../denial.ts';
import type { SealedKey } from './sealed-key.ts';
import { aSigner } from '../fixtures/a-signer.ts';
import { Secret } from './secret.ts';
import type { Address } from '@hunter/solana/address';
import { buy, transactionOf } from '../fixtures/transaction-scenes.ts';

const PASSWORD = 'correct horse battery';
const WALLETS = 6;

async function wallets(count: number) {
  const test = aSigner();
  const rows = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const owner = { userId: `user-${index}`, walletId: `wallet-${index}` };
      return { owner, ...(await test.signer.createWallet(owner, PASSWORD)) };
    }),
  );
  return { test, rows };
}

const flat = (rows: { owner: { userId: string; walletId: string }; sealedKey: string }[]) =>
  rows.map(({ owner, sealedKey }) => ({ ...owner, sealedKey }));
const code = (error: unknown): string => (error instanceof Denied ? error.denial.code : String(error));

describe('sealed keys', () => {
  it('holds the key of the address it shows', async () => {
    const { test, rows } = await wallets(1);
    const { owner, sealedKey, address, privateKey } = rows[0]!;
    const secretKey = fromBase58(privateKey as string, 64)!;
    expect(secretKey.subarray(32)).toEqual(fromBase58(address, 32));
    const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), secretKey.subarray(0, 32)]);
    const key = createPublicKey(createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }));
    expect(key.export({ format: 'der', type: 'spki' }).subarray(12)).toEqual(fromBase58(address, 32));
    expect(await test.signer.exportKey(owner, sealedKey, PASSWORD)).toBe(privateKey);
    await expect(test.signer.exportKey(owner, sealedKey, 'wrong')).rejects.toThrow('BAD_PASSWORD');
  });

  it('opens for nobody but its own user and wallet: of all swapped rows none opens', async () => {
    const { test, rows } = await wallets(WALLETS);
    let opened = 0;
    for (const mine of rows) {
      for (const theirs of rows) {
        if (mine === theirs) continue;
        const parts = JSON.parse(mine.sealedKey) as SealedKey;
        const other = JSON.parse(theirs.sealedKey) as SealedKey;
        const forgeries = [
          theirs.sealedKey,
          JSON.stringify({ ...parts, data: other.data }),
          JSON.stringify({ ...parts, key: other.key }),
          JSON.stringify({ ...parts, key: other.key, data: other.data }),
          JSON.stringify({ ...other, pub: parts.pub }),
        ];
        const owners = [
          mine.owner,
          { userId: mine.owner.userId, walletId: theirs.owner.walletId },
          { userId: theirs.owner.userId, walletId: mine.owner.walletId },
        ];
        for (const text of forgeries) {
          for (const owner of owners) {
            try {
              test.vault.openKey(owner, test.vault.read(text));
              opened += 1;
            } catch (error) {
              expect(code(error)).toBe('ENVELOPE_INVALID');
            }
          }
        }
      }
    }
    expect(opened).toBe(0);
  });

  it('does not open with any single character changed', async () => {
    const { test, rows } = await wallets(1);
    const { owner, sealedKey } = rows[0]!;
    let opened = 0;
    for (let position = 0; position < sealedKey.length; position += 3) {
      const character = sealedKey[position] === 'A' ? 'B' : 'A';
      const forged = sealedKey.slice(0, position) + character + sealedKey.slice(position + 1);
      try {
        test.vault.openKey(owner, test.vault.read(forged));
        // The last character before the padding may carry bits that base64 ignores; the bytes are then the same.
        if (!sameBytes(forged, sealedKey)) opened += 1;
      } catch {
        continue;
      }
    }
    expect(opened).toBe(0);
  });

  it('refuses the old sealed key after a password change, across restarts, and can give the new one again', async () => {
    let { test, rows } = await wallets(1);
    const { owner, sealedKey, privateKey } = rows[0]!;
    await expect(test.signer.changePassword(owner, sealedKey, 'wrong', 'new password')).rejects.toThrow('BAD_PASSWORD');
    const changed = await test.signer.changePassword(owner, sealedKey, PASSWORD, 'new password');
    test = await test.reopen();
    await expect(test.signer.exportKey(owner, sealedKey, PASSWORD)).rejects.toThrow('ENVELOPE_OUTDATED');
    expect(await test.signer.exportKey(owner, changed, 'new password')).toBe(privateKey);
    expect(test.signer.latestSealedKey(owner)).toBe(changed);
    expect(() => test.signer.latestSealedKey({ ...owner, userId: 'somebody' })).toThrow('ENVELOPE_INVALID');
    const forged = JSON.stringify({ ...(JSON.parse(sealedKey) as SealedKey), rev: 2 });
    await expect(test.signer.exportKey(owner, forged, PASSWORD)).rejects.toThrow('ENVELOPE_INVALID');
  });

  it('lets only one of two password changes at once win', async () => {
    const { test, rows } = await wallets(1);
    const { owner, sealedKey } = rows[0]!;
    const results = await Promise.allSettled([
      test.signer.changePassword(owner, sealedKey, PASSWORD, 'first password'),
      test.signer.changePassword(owner, sealedKey, PASSWORD, 'second password'),
    ]);
    expect(results.map((row) => row.status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('rotates while in use, resumes at any sealed key and retires the old key at the end', async () => {
    let { test, rows } = await wallets(WALLETS);
    const changed = await test.signer.changePassword(rows[0]!.owner, rows[0]!.sealedKey, PASSWORD, 'new password');
    rows[0]!.sealedKey = changed;
    const oldKey = test.keys.currentKeyId;
    const { keyId } = await test.signer.rotate();
    const first = await test.signer.rewrap(flat(rows.slice(0, 2)));
    // Stopped half way: both kinds of sealed key open, before and after a restart.
    test = await test.reopen();
    expect(test.keys.currentKeyId).toBe(keyId);
    const all = await test.signer.rewrap(flat(rows));
    for (const [index, row] of rows.entries()) {
      const outcome = all[index]!;
      if ('denied' in outcome) throw new Error(outcome.denied.reason);
      expect((JSON.parse(outcome.sealedKey) as SealedKey).kek).toBe(keyId);
      expect(test.vault.exportKey(row.owner, test.vault.read(row.sealedKey))).toBe(row.privateKey);
      expect(test.vault.exportKey(row.owner, test.vault.read(outcome.sealedKey))).toBe(row.privateKey);
    }
    expect(first.every((outcome) => 'sealedKey' in outcome)).toBe(true);
    test.signer.retireKey(oldKey);
    expect(() => test.vault.openKey(rows[1]!.owner, test.vault.read(rows[1]!.sealedKey))).toThrow(Denied);
    const outcome = all[1]!;
    expect(
      'sealedKey' in outcome && test.vault.openKey(rows[1]!.owner, test.vault.read(outcome.sealedKey)),
    ).toBeTruthy();
  });

  it('says in the log of the signer that a key was made or retired', async () => {
    const { test } = await wallets(1);
    const before = test.keys.currentKeyId;
    const { keyId } = await test.signer.rotate();
    test.signer.retireKey(before);
    expect(test.alarms).toEqual([
      { msg: `the key file has a new current key: ${keyId}` },
      { msg: `key ${before} is retired: what is still sealed under it opens once it is put back in the key file` },
    ]);
  });

  it('keeps a retired key in the key file, so that no call of an operator ends a wallet that was forgotten', async () => {
    let { test, rows } = await wallets(1);
    const { owner, sealedKey, privateKey } = rows[0]!;
    const before = test.keys.currentKeyId;
    await test.signer.rotate();
    test.signer.retireKey(before);
    // Neither by more rotations nor by a restart.
    for (let times = 0; times < 3; times += 1) {
      const { currentKeyId } = test.keys;
      await test.signer.rotate();
      test.signer.retireKey(currentKeyId);
    }
    test = await test.reopen();
    await expect(test.signer.exportKey(owner, sealedKey, PASSWORD)).rejects.toThrow('ENVELOPE_INVALID');
    const file = join(test.folder, 'keys.json');
    const content = JSON.parse(readFileSync(file, 'utf8')) as {
      keys: Record<string, string>;
      retired: Record<string, { key: string; at: string }>;
    };
    expect(Object.keys(content.retired)).toHaveLength(4);
    const { key, at } = content.retired[before]!;
    expect(at).toBe(new Date(test.clock.now).toISOString());
    writeFileSync(file, JSON.stringify({ ...content, keys: { ...content.keys, [before]: key } }));
    test = await test.reopen();
    expect(await test.signer.exportKey(owner, sealedKey, PASSWORD)).toBe(privateKey);
  });

  it('answers no rewrapped sealed key that does not open, and keeps its own copy then', async () => {
    const { test, rows } = await wallets(2);
    const [mine, theirs] = rows as [(typeof rows)[0], (typeof rows)[0]];
    mine.sealedKey = await test.signer.changePassword(mine.owner, mine.sealedKey, PASSWORD, 'new password');
    const parts = JSON.parse(mine.sealedKey) as SealedKey;
    const { data } = JSON.parse(theirs.sealedKey) as SealedKey;
    await test.signer.rotate();
    const forged = { ...mine, sealedKey: JSON.stringify({ ...parts, data }) };
    const [outcome] = await test.signer.rewrap(flat([forged]));
    expect(outcome).toMatchObject({ denied: { code: 'ENVELOPE_INVALID' } });
    expect(test.signer.latestSealedKey(mine.owner)).toBe(mine.sealedKey);
    expect(await test.signer.exportKey(mine.owner, mine.sealedKey, 'new password')).toBe(mine.privateKey);
  });

  it('does not retire a key under which a wallet signs that was not moved yet', async () => {
    const { test, rows } = await wallets(1);
    const { owner, sealedKey, address } = rows[0]!;
    const before = test.keys.currentKeyId;
    await test.signer.rotate();
    const { policy, ...scene } = buy(address as Address);
    const transaction = transactionOf({ policy, ...scene });
    const [signed] = await test.signer.sign([{ ...owner, sealedKey, transaction, policy }]);
    expect(signed).toHaveProperty('signature');
    expect(() => test.signer.retireKey(before)).toThrow('signed within the last hour');
    await test.signer.rewrap(flat(rows));
    test.signer.retireKey(before);
    expect(test.keys.keyIds()).toEqual([test.keys.currentKeyId]);
  });

  it('does not retire a key that a kept copy still needs', async () => {
    const { test, rows } = await wallets(1);
    await test.signer.resetPassword(rows[0]!.owner, rows[0]!.sealedKey, 'new password');
    const oldKey = test.keys.currentKeyId;
    await test.signer.rotate();
    expect(() => test.signer.retireKey(oldKey)).toThrow('still under this key');
    expect(() => test.signer.retireKey(test.keys.currentKeyId)).toThrow('only an older key');
  });

  it('keeps the key file to itself', async () => {
    const { test } = await wallets(0);
    expect(statSync(join(test.folder, 'keys.json')).mode & 0o777).toBe(0o600);
    expect(statSync(join(test.folder, 'signer.log')).mode & 0o777).toBe(0o600);
  });
});

describe('secrets', () => {
  it('cannot be printed or serialised, and are gone after use', () => {
    const bytes = Buffer.from('canary');
    const secret = new Secret(bytes);
    expect(`${JSON.stringify({ secret })} ${inspect(secret)} ${String(secret)}`).not.toMatch(/canary|63616e617279/);
    expect(() =>
      secret.consume(() => {
        throw new Error('fails');
      }),
    ).toThrow('fails');
    expect(bytes.every((byte) => byte === 0)).toBe(true);
  });
});

function sameBytes(left: string, right: string): boolean {
  const [a, b] = [JSON.parse(left) as SealedKey, JSON.parse(right) as SealedKey];
  const bytes = (text: string): string => Buffer.from(text, 'base64').toString('hex');
  return a.rev === b.rev && a.pub === b.pub && bytes(a.key) === bytes(b.key) && bytes(a.data) === bytes(b.data);
}
