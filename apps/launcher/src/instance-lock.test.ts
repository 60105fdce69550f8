import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { lockDataDirectory, prepareDataDirectory } from './instance-lock.ts';

const disk = vi.hoisted(() => ({ isFull: false }));
vi.mock('node:sqlite', async (actual) => {
  const { DatabaseSync } = await actual<typeof import('node:sqlite')>();
  return {
    DatabaseSync: class extends DatabaseSync {
      override exec(sql: string): void {
        if (disk.isFull) throw Object.assign(new Error('database or disk is full'), { errcode: 13 });
        super.exec(sql);
      }
    },
  };
});

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hunter-lock-'));
});
afterEach(() => {
  disk.isFull = false;
  rmSync(folder, { recursive: true });
});

describe('the data folder', () => {
  it('is made where it is missing', () => {
    const deep = join(folder, 'one', 'two');
    prepareDataDirectory(deep);
    expect(existsSync(deep)).toBe(true);
  });

  it.runIf(process.getuid !== undefined)('is made for nobody else to write to, whatever the mask of the shell', () => {
    const mask = process.umask(0);
    try {
      prepareDataDirectory(join(folder, 'one', 'two'));
    } finally {
      process.umask(mask);
    }
    expect([join(folder, 'one'), join(folder, 'one', 'two')].map((made) => statSync(made).mode & 0o022)).toEqual([
      0, 0,
    ]);
  });

  it('says in one line when its disk is as good as full', () => {
    expect(() => prepareDataDirectory(folder, () => 20 * 1024 ** 2)).toThrow(
      `the disk of DATA_DIR ${folder} has 20 MB left; Hunter needs at least 256 MB to start`,
    );
  });

  it('says in one line, also to a backup, when its disk is full', () => {
    disk.isFull = true;
    expect(() => lockDataDirectory(folder, { purpose: 'backup' })).toThrow(
      `the disk of DATA_DIR ${folder} is full, and a lock in it needs a few KB: free some space`,
    );
    disk.isFull = false;
    lockDataDirectory(folder).release();
  });

  it('says when a file is in its way', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => prepareDataDirectory(join(folder, 'file'))).toThrow('cannot be written');
  });

  // The system makes nothing in there, and says so as if the parent were missing.
  it.runIf(existsSync('/proc/self'))('says when the system makes no folder there', () => {
    expect(() => prepareDataDirectory('/proc/hunter/data')).toThrow(
      'DATA_DIR /proc/hunter/data cannot be written: ENOENT',
    );
  });

  it.runIf(process.getuid !== undefined)(
    'can be locked by its owner only: a stranger who may read a file may lock it',
    () => {
      writeFileSync(join(folder, 'instance.lock'), '', { mode: 0o644 });
      lockDataDirectory(folder).release();
      expect(statSync(join(folder, 'instance.lock')).mode & 0o777).toBe(0o600);
    },
  );

  it('belongs to one at a time', () => {
    const lock = lockDataDirectory(folder);
    const here = `process ${process.pid} on ${hostname()}`;
    const stop = `is in use by another Hunter (${here}); stop it there (Ctrl-C in its terminal, or kill ${process.pid})`;
    expect(() => lockDataDirectory(folder, { patienceMs: 0 })).toThrow(`${stop} or set another DATA_DIR`);
    expect(() => lockDataDirectory(folder, { patienceMs: 0, purpose: 'backup' })).toThrow(
      `${stop} and take the backup then`,
    );
    lock.release();
    const backup = lockDataDirectory(folder, { purpose: 'backup' });
    expect(() => lockDataDirectory(folder, { patienceMs: 0 })).toThrow(
      `is in use by a backup of it (${here}); wait for its end or set another DATA_DIR`,
    );
    backup.release();
  });
});
