import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { compiledFolder } from './compiled-folder.ts';

let folder: string;
let said: string[];
const report = (line: string) => void said.push(line);
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hunter-compiled-'));
  said = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

it('is made inside the project, for its part alone', () => {
  const compiled = compiledFolder(folder, 'server', null, report)!;
  expect(compiled.startsWith(folder)).toBe(true);
  expect(statSync(compiled).mode & 0o077).toBe(0);
  expect(said).toEqual([]);
});

// Where nobody can make a folder, root included.
it.runIf(process.platform === 'linux').each([
  ['the same user', null],
  ['a user of its own', { uid: 61_103, gid: 61_103 }],
])('is left out, with a line that says so, where the project may only be read by %s', (_name, user) => {
  expect(compiledFolder('/sys', 'server', user, report)).toBeNull();
  expect(said).toEqual([
    expect.stringMatching(/^server {4}compiles its code at every start, because \/sys.*cannot be/),
  ]);
});
