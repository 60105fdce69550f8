import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { LogFile } from './log-file.ts';

const disk = vi.hoisted(() => ({ isFull: false }));
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const refuse = () => {
    if (disk.isFull) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
  };
  return {
    ...fs,
    openSync: (...request: Parameters<typeof fs.openSync>) => {
      refuse();
      return fs.openSync(...request);
    },
    renameSync: (...request: Parameters<typeof fs.renameSync>) => {
      refuse();
      fs.renameSync(...request);
    },
  };
});

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hunter-log-'));
  path = join(directory, 'server.log');
});
afterEach(() => {
  disk.isFull = false;
  rmSync(directory, { recursive: true });
});

const linesOf = (file: string): string[] => readFileSync(file, 'utf8').trimEnd().split('\n');

it('keeps one older generation once a log is too large', () => {
  const log = new LogFile(path, 10);
  for (const line of ['first line', 'second line', 'third']) log.write(line);
  log.close();
  expect(linesOf(`${path}.1`)).toEqual(['second line']);
  expect(linesOf(path)).toEqual(['third']);
});

it('writes on into the same file while the disk has no room for another one', () => {
  const log = new LogFile(path, 10);
  log.write('short');
  disk.isFull = true;
  log.write('a line that is too long');
  log.write('another one');
  expect(linesOf(path)).toEqual(['short', 'a line that is too long', 'another one']);
  disk.isFull = false;
  log.write('room again');
  log.write('new');
  log.close();
  expect(linesOf(`${path}.1`)).toEqual(['short', 'a line that is too long', 'another one', 'room again']);
  expect(linesOf(path)).toEqual(['new']);
});

it('writes on into the same file where the older generation cannot be put away', () => {
  mkdirSync(`${path}.1`);
  const log = new LogFile(path, 10);
  for (const line of ['first line', 'second line']) log.write(line);
  log.close();
  expect(linesOf(path)).toEqual(['first line', 'second line']);
});
