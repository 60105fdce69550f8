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

  it('refuses everything for an account that does not exist', async () => {
    expect(await new PasswordHasher().verify('anything', null)).toBe(false);
  });
});
