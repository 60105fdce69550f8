import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { signerFlags } from './signer-flags.ts';

const project = fileURLToPath(new URL('../../..', import.meta.url));

const TRIES = `
const fs = require('node:fs');
const [own, other] = process.argv.slice(1);
const tries = {
  'own file': () => fs.writeFileSync(own + '/kept', 'x'),
  'file of others': () => fs.readFileSync(other),
  'system file': () => fs.readFileSync('/etc/passwd'),
  'file elsewhere': () => fs.writeFileSync(other + '.new', 'x'),
  'link out of the folder': () => fs.symlinkSync(other, own + '/link'),
  'other program': () => require('node:child_process').execFileSync('/bin/true'),
  'native code': () => process.dlopen({ exports: {} }, '/nothing.node'),
};
const outcomes = Object.entries(tries).map(([name, attempt]) => {
  try { attempt(); return [name, 'done']; } catch (error) { return [name, error.code]; }
});
console.log(JSON.stringify(Object.fromEntries(outcomes)));
`;

it('leave the signer its own folder, and no other file, program or native code', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hunter-flags-'));
  const own = join(folder, 'signer');
  mkdirSync(own);
  const other = join(folder, 'server.secret');
  writeFileSync(other, 'of the server');
  const args = [...signerFlags(project, [own]), '--input-type=commonjs', '-e', TRIES, own, other];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({
    'own file': 'done',
    'file of others': 'ERR_ACCESS_DENIED',
    'system file': 'ERR_ACCESS_DENIED',
    'file elsewhere': 'ERR_ACCESS_DENIED',
    'link out of the folder': 'ERR_ACCESS_DENIED',
    'other program': 'ERR_ACCESS_DENIED',
    'native code': expect.stringMatching(/^ERR_/) as string,
  });
});
