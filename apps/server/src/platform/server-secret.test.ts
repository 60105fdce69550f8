import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadServerSecret, ServerSecret } from './server-secret.ts';

describe('ServerSecret', () => {
  const folder = mkdtempSync(join(tmpdir(), 'server-secret-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('is made once, for its owner only, and is the same after a restart', () => {
    const sealed = loadServerSecret(folder).seal('a code');
    expect(loadServerSecret(folder).open(sealed)).toBe('a code');
    expect(statSync(join(folder, 'server.secret')).mode & 0o777).toBe(0o600);
  });

  it('opens nothing that was changed or sealed elsewhere', () => {
    const secret = new ServerSecret(Buffer.alloc(32, 1));
    const sealed = Buffer.from(secret.seal('text'), 'base64');
    sealed[sealed.length - 1]! ^= 1;
    expect(() => secret.open(sealed.toString('base64'))).toThrow();
    expect(() => new ServerSecret(Buffer.alloc(32, 2)).open(secret.seal('text'))).toThrow();
  });

  it('never takes two lists of parts for the same', () => {
    const secret = new ServerSecret(Buffer.alloc(32, 1));
    expect(secret.mac('ab', 'c').equals(secret.mac('a', 'bc'))).toBe(false);
  });
});
