import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { DurableLog } from './durable-log.ts';

const folders: string[] = [];

function aPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'signer-log-'));
  folders.push(folder);
  return join(folder, 'log');
}

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function open(path: string): { log: DurableLog; records: unknown[] } {
  const records: unknown[] = [];
  return { log: DurableLog.open(path, (record) => records.push(record)), records };
}

describe('the durable log', () => {
  it('gives back what it answered for, in order', async () => {
    const path = aPath();
    const { log } = open(path);
    await Promise.all([log.append({ n: 1 }), log.append({ n: 2 })]);
    await log.append({ n: 'drei\n' });
    await log.close();
    expect(open(path).records).toEqual([{ n: 1 }, { n: 2 }, { n: 'drei\n' }]);
  });

  it('cuts a torn last line at any byte and goes on after it', async () => {
    const path = aPath();
    const { log } = open(path);
    await log.append({ n: 1 });
    const intact = readFileSync(path);
    await log.append({ n: 2 });
    await log.close();
    const whole = readFileSync(path);
    for (let length = intact.length; length < whole.length; length += 1) {
      writeFileSync(path, whole.subarray(0, length));
      const again = open(path);
      expect(again.records).toEqual([{ n: 1 }]);
      await again.log.append({ n: 3 });
      await again.log.close();
      expect(open(path).records).toEqual([{ n: 1 }, { n: 3 }]);
    }
  });

  it('refuses to start on damage before the end', async () => {
    const path = aPath();
    const { log } = open(path);
    await log.append({ n: 1 });
    await log.append({ n: 2 });
    await log.close();
    const bytes = readFileSync(path);
    bytes[12]! ^= 1;
    writeFileSync(path, bytes);
    expect(() => open(path)).toThrow('damaged');
  });

  it('shrinks to the records that still matter', async () => {
    const path = aPath();
    const { log } = open(path);
    for (let n = 0; n < 50; n += 1) await log.append({ n });
    await log.compact(() => [{ n: 49 }]);
    await log.append({ n: 50 });
    await log.close();
    expect(open(path).records).toEqual([{ n: 49 }, { n: 50 }]);
    appendFileSync(path, 'torn');
    expect(open(path).records).toHaveLength(2);
  });

  it('takes nothing more where it shrank and nobody knows whether that lasts: it would go to a file that is gone', async () => {
    const path = aPath();
    const { log } = open(path);
    await log.append({ n: 1 });
    let broken = 0;
    log.onBroken(() => (broken += 1));
    // As on a full disk: the shorter file is there, and the folder cannot be synced.
    const sync = join(path, '..', 'folder-sync.sqlite');
    rmSync(sync);
    mkdirSync(sync);
    await expect(log.compact(() => [{ n: 1 }])).rejects.toThrow();
    await expect(log.append({ n: 2 })).rejects.toThrow('the log cannot be written');
    expect(broken).toBe(1);
    await log.close();
    expect(open(path).records).toEqual([{ n: 1 }]);
  });

  it('stays as it is, and goes on, where there is no room for the shorter one, which leaves nothing behind', async () => {
    const path = aPath();
    const { log } = open(path);
    await log.append({ n: 1 });
    symlinkSync('/dev/full', `${path}.new`);
    await expect(log.compact(() => [{ n: 1 }])).rejects.toThrow('ENOSPC');
    expect(readdirSync(join(path, '..'))).toEqual(['folder-sync.sqlite', 'log']);
    await log.append({ n: 2 });
    await log.close();
    expect(open(path).records).toEqual([{ n: 1 }, { n: 2 }]);
  });
});
