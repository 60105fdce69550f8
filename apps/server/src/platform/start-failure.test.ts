import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const nowhere = {
  DATABASE_URL: 'postgresql://hunter@127.0.0.1:1/hunter',
  SOLANA_RPC_URL: 'http://127.0.0.1:1',
  SOLANA_WS_URL: 'ws://127.0.0.1:1',
  VENUE_URL: 'http://127.0.0.1:1',
  SIGNER_SOCKET: '/no/socket',
  SIGNER_TOKEN: 'x'.repeat(32),
  HUNTER_MODE: 'local',
};

it.each<[string, Record<string, string>, string]>([
  ['a variable that is missing', { SIGNER_TOKEN: '' }, 'SIGNER_TOKEN is not set'],
  [
    'several variables in a line of its own each',
    { SIGNER_TOKEN: 'short', VENUE_URL: '', LEASE_SECONDS: 'long' },
    'VENUE_URL is not set\nSIGNER_TOKEN is not valid: Too small: expected string to have >=32 characters\nLEASE_SECONDS is not valid',
  ],
  ['a database that is not there', {}, 'the database of DATABASE_URL cannot be used: connect ECONNREFUSED 127.0.0.1:1'],
])('a server ends with lines that name %s', (_name, wrong, line) => {
  const env = { PATH: process.env['PATH'], ...nowhere, ...wrong };
  const { status, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, '../main.ts')], { env });
  const words = stderr.toString();
  expect(words).toContain(line);
  expect([status, words.trimEnd().split('\n').length]).toEqual([1, line.split('\n').length]);
});
