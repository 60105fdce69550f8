import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { claimPort } from './port-claim.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hunter-claims-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('leaves a port to the process that claimed it first', () => {
  writeFileSync(join(folder, 'hunter-port-8899'), String(process.ppid));
  expect(claimPort(8899, folder)).toBeNull();
  expect(claimPort(8900, folder)).not.toBeNull();
});

it('takes over the claim of a process that has ended, and gives its own back', () => {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  writeFileSync(join(folder, 'hunter-port-8899'), String(pid));
  const release = claimPort(8899, folder);
  expect(release).not.toBeNull();
  release?.();
  expect(claimPort(8899, folder)).not.toBeNull();
});
