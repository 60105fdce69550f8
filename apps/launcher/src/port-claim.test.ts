import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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

it.runIf(process.platform === 'linux')(
  'does not wait for a pipe that a stranger put there, and follows no link',
  () => {
    // A process of its own: waiting for the pipe would never end.
    const claim = (port: number): string => {
      const module = join(import.meta.dirname, 'port-claim.ts');
      const script = `import { claimPort } from ${JSON.stringify(module)}; console.log(claimPort(${port}, ${JSON.stringify(folder)}));`;
      return spawnSync(process.execPath, ['--input-type=module', '-e', script], { timeout: 20_000 }).stdout.toString();
    };
    spawnSync('mkfifo', [join(folder, 'hunter-port-8899')]);
    symlinkSync('/dev/zero', join(folder, 'hunter-port-8900'));
    expect([claim(8899), claim(8900)]).toEqual(['null\n', 'null\n']);
  },
);

it('takes over the claim of a process that has ended, and gives its own back', () => {
  const { pid } = spawnSync(process.execPath, ['-e', '']);
  writeFileSync(join(folder, 'hunter-port-8899'), String(pid));
  const release = claimPort(8899, folder);
  expect(release).not.toBeNull();
  release?.();
  expect(claimPort(8899, folder)).not.toBeNull();
});
