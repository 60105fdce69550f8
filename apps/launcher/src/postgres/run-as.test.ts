import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canTraverse, decideRunAs, invocation, type RunAsInput } from './run-as.ts';

const asRoot = (overrides: Partial<RunAsInput> = {}): RunAsInput => ({
  isRoot: true,
  folderOwner: { uid: 0, gid: 0 },
  systemUsers: [
    { uid: 101, gid: 104 },
    { uid: 65_534, gid: 65_534 },
  ],
  canReach: () => true,
  hasNamespaces: () => true,
  ...overrides,
});

describe('who runs the database server', () => {
  it('is the ordinary user who starts it', () => {
    expect(decideRunAs(asRoot({ isRoot: false }))).toEqual({ kind: 'self' });
  });

  it('is the owner of the data folder when root starts it', () => {
    expect(decideRunAs(asRoot({ folderOwner: { uid: 1000, gid: 1000 } }))).toEqual({
      kind: 'user',
      uid: 1000,
      gid: 1000,
    });
  });

  it('is the first system user that reaches the folder when root owns it', () => {
    expect(decideRunAs(asRoot())).toEqual({ kind: 'user', uid: 101, gid: 104 });
    expect(decideRunAs(asRoot({ canReach: ({ uid }) => uid === 65_534 }))).toMatchObject({ uid: 65_534 });
  });

  it('is root behind a user namespace when nobody else reaches the folder', () => {
    expect(decideRunAs(asRoot({ canReach: () => false }))).toEqual({ kind: 'namespace' });
    expect(decideRunAs(asRoot({ canReach: () => false, hasNamespaces: () => false }))).toBe('impossible');
  });

  it('is called through unshare only in a namespace', () => {
    expect(invocation({ kind: 'namespace' }, '/bin/postgres', ['-D', 'x'])).toMatchObject({
      file: 'unshare',
      args: ['--user', '--map-user=65534', '--map-group=65534', '/bin/postgres', '-D', 'x'],
    });
    expect(invocation({ kind: 'user', uid: 7, gid: 8 }, '/bin/postgres', [])).toMatchObject({
      file: '/bin/postgres',
      args: [],
      uid: 7,
      gid: 8,
    });
  });
});

describe('canTraverse', () => {
  it('stops at a folder that is closed for the user, and passes its owner', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hunter-traverse-'));
    mkdirSync(join(folder, 'inside'));
    chmodSync(folder, 0o700);
    const { uid, gid } = statSync(folder);
    expect(canTraverse(join(folder, 'inside', 'not-yet-there'), { uid: uid + 1, gid: gid + 1 })).toBe(false);
    expect(canTraverse(join(folder, 'inside'), { uid, gid })).toBe(true);
    rmSync(folder, { recursive: true });
  });
});
