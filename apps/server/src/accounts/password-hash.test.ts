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

  it('fails for a hash that cannot be worked out, and goes on with the next', async () => {
    const hasher = new PasswordHasher();
    await hasher.ready();
    const stored = await hasher.hash('four words');
    const impossible = stored.replace('m=19456', 'm=1');
    await expect(hasher.verify('four words', impossible)).rejects.toThrow();
    expect(await hasher.verify('four words', stored)).toBe(true);
  });

  it('refuses everything for an account that does not exist', async () => {
    expect(await new PasswordHasher().verify('anything', null)).toBe(false);
  });
});
