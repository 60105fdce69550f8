import { argon2Sync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { PasswordHasher } from './password-hash.ts';

describe('PasswordHasher', () => {
  it('knows a password again, whichever way its letters were composed', async () => {
    const hasher = new PasswordHasher();
    const stored = await hasher.hash('caf\u00e9 au lait');
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await hasher.verify('cafe\u0301 au lait', stored)).toBe(true);
    expect(await hasher.verify('cafe au lait', stored)).toBe(false);
  });

  it('gives what Argon2id gives anywhere else', async () => {
    const [, , , , salt, tag] = (await new PasswordHasher().hash('four words')).split('$');
    const parameters = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
    const message = Buffer.from('four words');
    const expected = argon2Sync('argon2id', { message, nonce: Buffer.from(salt!, 'base64'), ...parameters });
    expect(Buffer.from(tag!, 'base64')).toEqual(expected);
  });

  it('fails for a hash that cannot be worked out, and goes on with the next', async () => {
    const hasher = new PasswordHasher();
    await hasher.ready();
    const stored = await hasher.hash('four words');
    const tooLittle = stored.replace('m=19456', 'm=1');
    await expect(hasher.verify('four words', tooLittle)).rejects.toThrow('too small');
    const tooMuch = stored.replace('m=19456', 'm=4000000000');
    await expect(hasher.verify('four words', tooMuch)).rejects.toThrow(/memory|allocation/);
    expect(await hasher.verify('four words', stored)).toBe(true);
  });

  it('answers each of many at once for itself', async () => {
    const hasher = new PasswordHasher();
    const stored = await hasher.hash('four words');
    const passwords = ['four words', 'five words', 'four words', 'six words'];
    const verified = await Promise.all(passwords.map((password) => hasher.verify(password, stored)));
    expect(verified).toEqual([true, false, true, false]);
  });

  it('refuses everything for an account that does not exist', async () => {
    expect(await new PasswordHasher().verify('anything', null)).toBe(false);
  });
});
