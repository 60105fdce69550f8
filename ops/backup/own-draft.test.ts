import {
  closeSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { backUp } from './backup.ts';

let folder: string;
let data: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hunter-backup-draft-'));
  [data, file] = [join(folder, 'data'), join(folder, 'backup.tar.gz')];
  mkdirSync(join(data, 'signer'), { recursive: true });
  writeFileSync(join(data, 'signer', 'keys.json'), 'keys');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('writes keys into no file and through no link that was there before it', async () => {
  const stranger = join(folder, 'stranger');
  writeFileSync(stranger, 'his own');
  symlinkSync(stranger, `${file}.new`);
  await backUp(data, file, null);
  expect(readFileSync(stranger, 'utf8')).toBe('his own');
  const written = lstatSync(file);
  expect([written.isFile(), written.mode & 0o777]).toEqual([true, 0o600]);
});

it('is not read by whoever has the draft of an interrupted backup open', async () => {
  writeFileSync(`${file}.new`, 'half', { mode: 0o644 });
  const opened = openSync(`${file}.new`, 'r');
  await backUp(data, file, null);
  expect(readFileSync(opened, 'utf8')).toBe('half');
  closeSync(opened);
});
