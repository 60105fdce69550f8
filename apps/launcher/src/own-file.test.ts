import { lstatSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { writeOwnFile } from './own-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hunter-file-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('replaces a link, and what a write that was cut off left behind, and leaves what the link leads to alone', () => {
  const [file, other] = [join(folder, 'port'), join(folder, 'other')];
  writeFileSync(other, 'untouched');
  for (const name of [file, `${file}.new`]) symlinkSync(other, name);
  writeOwnFile(file, 'content');
  expect([readFileSync(other, 'utf8'), readFileSync(file, 'utf8')]).toEqual(['untouched', 'content']);
  expect([lstatSync(file).isFile(), lstatSync(file).mode & 0o777]).toEqual([true, 0o600]);
});
