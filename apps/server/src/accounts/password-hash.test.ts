import { argon2Sync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { PasswordHasher } from './password-hash.ts';

describe('PasswordHasher', () => {
  it('knows a password again, whichever way its letters were composed', async () => {
    const hasher = new PasswordHasher();
    const stored = await hasher.hash('caf\u00e9 au lait', 'stranger');
    expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(await hasher.verify('cafe\u0301 au lait', stored, 'stranger')).toBe(true);
    expect(await hasher.verify('cafe au lait', stored, 'stranger')).toBe(false);
  });

  it('gives what Argon2id gives anywhere else', async () => {
    const [, , , , salt, tag] = (await new PasswordHasher().hash('four words', 'stranger')).split('$');
    const parameters = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
    const message = Buffer.from('four words');
    const expected = argon2Sync('argon2id', { message, nonce: Buffer.from(salt!, 'base64'), ...parameters });
    expect(Buffer.from(tag!, 'base64')).toEqual(expected);
  });

  it('fails for a hash that cannot be worked out, and goes on with the next', async () => {
    const hasher = new PasswordHasher();
    await hasher.ready();
    const stored = await hasher.hash('four words', 'stranger');
    const tooLittle = stored.replace('m=19456', 'm=1');
    await expect(hasher.verify('four words', tooLittle, 'stranger')).rejects.toThrow('too small');
    const tooMuch = stored.replace('m=19456', 'm=4000000000');
    await expect(hasher.verify('four words', tooMuch, 'stranger')).rejects.toThrow(/memory|allocation/);
    expect(await hasher.verify('four words', stored, 'stranger')).toBe(true);
  });

  it('answers each of many at once for itself', async () => {
    const hasher = new PasswordHasher();
    const stored = await hasher.hash('four words', 'stranger');
    const passwords = ['four words', 'five words', 'four words', 'six words'];
    const verified = await Promise.all(passwords.map((password) => hasher.verify(password, stored, 'stranger')));
    expect(verified).toEqual([true, false, true, false]);
  });

  it('waits for no background thread that gets no turn, fails, or is at work on another', async () => {
    const stored = await new PasswordHasher().hash('four words', 'stranger');
    const stuck = { begin: () => new Promise<null>(() => {}) };
    const failing = { begin: () => Promise.resolve(null) };
    const busy = { begin: () => null };
    for (const background of [stuck, failing, busy]) {
      const hasher = new PasswordHasher(background);
      await hasher.ready();
      expect(await hasher.verify('four words', stored, 'stranger')).toBe(true);
      expect(await hasher.verify('five words', stored, 'stranger')).toBe(false);
    }
  });

  it('leaves the background thread to the first password, so that a start need not wait for it', async () => {
    let asked = 0;
    const hasher = new PasswordHasher({ begin: () => ((asked += 1), null) });
    await hasher.ready();
    expect(asked).toBe(0);
    await hasher.hash('four words', 'stranger');
    expect(asked).toBe(1);
  });

  it('answers those who are known however many strangers wait', async () => {
    const hasher = new PasswordHasher();
    const stored = await hasher.hash('four words', { known: 'owner' });
    const cheap = stored.replace('m=19456,t=2', 'm=8,t=1');
    const strangers = Promise.allSettled(
      Array.from({ length: 300 }, () => hasher.verify('a guess', cheap, 'stranger')),
    );
    expect(await hasher.verify('four words', stored, { known: 'owner' })).toBe(true);
    const refused = (await strangers).flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
    expect(refused[0]).toMatchObject({ errorName: 'UNAVAILABLE' });
  });

  it('answers the owner of one account however many passwords another one has checked', async () => {
    const hasher = new PasswordHasher();
    const stored = await hasher.hash('four words', { known: 'owner' });
    const cheap = stored.replace('m=19456,t=2', 'm=8,t=1');
    const others = Promise.allSettled(
      Array.from({ length: 1_100 }, () => hasher.verify('four words', cheap, { known: 'another' })),
    );
    expect(await hasher.verify('four words', stored, { known: 'owner' })).toBe(true);
    expect((await others).filter(({ status }) => status === 'fulfilled')).toHaveLength(21);
  });

  it('refuses everything for an account that does not exist', async () => {
    expect(await new PasswordHasher().verify('anything', null, 'stranger')).toBe(false);
  });
});
