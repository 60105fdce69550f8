import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { makeAuthority, writeCertificates } from './fixtures/certificates.ts';

const folder = mkdtempSync(join(tmpdir(), 'signer-start-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const plain = {
  DATA_DIR: folder,
  SIGNER_ENVIRONMENT: 'test',
  SIGNER_TOKEN: 'x'.repeat(32),
  SIGNER_OPERATOR_TOKEN: 'operator-token-of-the-test',
  SIGNER_SOCKET: join(folder, 's.sock'),
};

it.each<[string, Record<string, string>, string]>([
  ['a token that is missing', { SIGNER_TOKEN: '' }, 'SIGNER_TOKEN must be set'],
  ['a limit that is no amount', { SIGNER_LARGE_SOL: 'many' }, 'SIGNER_LARGE_SOL must be an amount of SOL'],
  [
    'all that are wrong, each in its own',
    {
      SIGNER_TOKEN: 'short',
      SIGNER_LARGE_SOL: 'many',
      SIGNER_THREADS: 'x',
      SIGNER_ROLE: 'standby',
      SIGNER_ORIGINS: 'a',
    },
    [
      'SIGNER_TOKEN must have at least 32 characters',
      'SIGNER_STANDBY_TOKEN must have at least 32 characters',
      'SIGNER_LARGE_SOL must be an amount of SOL',
      'SIGNER_ORIGINS must be origins such as https://hunter.example, with commas between them',
      'SIGNER_THREADS must be a number from 0 to 9\n',
    ].join('\n'),
  ],
  ['a socket where no folder is', { SIGNER_SOCKET: join(folder, 'no', 's.sock') }, 'SIGNER_SOCKET: listen '],
  [
    'a certificate of the past',
    { SIGNER_SOCKET: 'tls://127.0.0.1:1' },
    'cert.pem expired on 2021-01-01T00:00:00.000Z: put',
  ],
])('ends with lines that name %s', (_name, wrong, line) => {
  writeCertificates(join(folder, 'tls'), makeAuthority('the operator'), '210101000000Z');
  const env = { PATH: process.env['PATH'], ...plain, ...wrong };
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts')], { env });
  const words = stderr.toString();
  expect(words).toContain(line);
  expect([status, words.trimEnd().split('\n').length]).toEqual([1, line.trimEnd().split('\n').length]);
});
