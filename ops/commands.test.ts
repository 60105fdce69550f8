import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { root } from '../scripts/bootstrap.mjs';

type Ended = { code: number | string | null | undefined; stdout: string; stderr: string };

/** As of a shell in which nothing of Hunter is set. Without the cache, each command would compile all of its sources again. */
const { PATH, NODE_COMPILE_CACHE } = process.env;

function run(file: string, args: readonly string[], environment: Record<string, string> = {}): Promise<Ended> {
  const env = { PATH, NODE_COMPILE_CACHE, DATA_DIR: join(tmpdir(), 'hunter-was-never-here'), ...environment };
  return new Promise((resolve) => {
    execFile(process.execPath, [join(root, file), ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, stdout, stderr }),
    );
  });
}

const UUID = '0cc9ffdb-bf86-4151-a105-5b52c911c26a';
const HERE = 'set DATABASE_URL, or DATA_DIR to the data folder';

it.each<[string, string[], string, Record<string, string>?]>([
  ['ops/invite.ts', ['10'], "Unexpected argument '10'"],
  ['ops/invite.ts', ['--use', '10'], "Unknown option '--use'"],
  ['ops/invite.ts', [], HERE],
  ['ops/invite.ts', [], HERE, { DATABASE_URL: '' }],
  ['ops/user.ts', ['--email', 'a@b.c', '--operator', 'Ada'], '--reason of at least 8 characters'],
  ['ops/keys-rotate.ts', ['--help'], "Unknown option '--help'"],
  ['ops/reserves.ts', ['--help'], "Unknown option '--help'"],
  ['ops/kill-switch.ts', ['on', 'withdrawal', 'export'], 'One kind at a time'],
  ['ops/kill-switch.ts', ['on', 'swaps'], 'swaps is none of the kinds'],
  ['ops/kill-switch.ts', ['up'], 'up is neither on nor off'],
  [
    'ops/kill-switch.ts',
    ['on'],
    'ENOENT /no/socket',
    { SIGNER_SOCKET: '/no/socket', SIGNER_OPERATOR_TOKEN: 'x'.repeat(32) },
  ],
  ['ops/signer-changes.ts', ['cancel'], 'confirm or cancel with one id'],
  ['ops/wind-down.ts', ['--all'], '--operator and --reason are needed'],
  ['ops/wind-down.ts', ['--operator', 'Ada', '--reason', 'it ends'], 'Which strategy?'],
  ['ops/settle.ts', [], 'SETTLEMENT_OPERATORS must be 1 or 2', { SETTLEMENT_OPERATORS: 'two' }],
  ['ops/settle.ts', ['approve', '1'], '--operator is needed'],
  ['ops/settle.ts', ['propose', UUID, 'SOL', '--operator', 'Ada'], HERE],
  ['ops/settle.ts', ['propose', UUID, 'x'.repeat(40), '--operator', 'Ada'], 'ASSET is SOL or the address of a mint'],
  ['ops/backup/main.ts', ['backup', '--help'], "Unknown option '--help'"],
  ['ops/backup/main.ts', ['backup', 'one', 'two'], 'usage: npm run backup -- FILE'],
  ['scripts/verify.ts', ['--all'], 'set DATA_DIR to the data folder, or give --url and --rpc'],
])('%s %j ends with one line that says what is wrong: %s', async (file, args, line, environment) => {
  const { code, stdout, stderr } = await run(file, args, environment);
  expect(stderr.split('\n')[0]).toContain(line);
  expect(stderr).not.toContain('    at ');
  expect([code, stdout]).toEqual([1, '']);
});

it('says why a backup could not be written, and leaves nothing of it behind', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hunter-commands-'));
  mkdirSync(join(folder, 'data', 'signer'), { recursive: true });
  writeFileSync(join(folder, 'data', 'signer', 'signer.log'), randomBytes(1_000_000));
  const file = join(folder, 'backup.tar.gz');
  // No file of more than 32 KB: as a disk that is nearly full.
  const line = `ulimit -f 64; exec "${process.execPath}" "${join(root, 'ops/backup/main.ts')}" backup "${file}"`;
  const env = { PATH: process.env['PATH'], DATA_DIR: join(folder, 'data') };
  const stderr = await new Promise((resolve) => {
    execFile('sh', ['-c', line], { env }, (_error, _out, words) => resolve(words));
  });
  expect(stderr).toBe('EFBIG: file too large, write\n');
  expect(readdirSync(folder)).toEqual(['data']);
  rmSync(folder, { recursive: true });
});

it('makes no data folder and no secret for a snapshot of reserves', async () => {
  const folder = join(mkdtempSync(join(tmpdir(), 'hunter-commands-')), 'data');
  const nowhere = { DATABASE_URL: 'postgresql://hunter@127.0.0.1:1/hunter', SOLANA_RPC_URL: 'http://127.0.0.1:1' };
  const { code, stderr } = await run('ops/reserves.ts', [], { DATA_DIR: folder, ...nowhere });
  expect(stderr).toMatch(/^the database that DATABASE_URL names cannot be used: connect ECONNREFUSED \S+\n$/);
  expect(code).toBe(1);
  expect(existsSync(folder)).toBe(false);
});

/** A signer that answers each method as told, and what it was asked. */
async function aSigner(answer: (method: string) => unknown) {
  const socket = join(mkdtempSync(join(tmpdir(), 'hunter-commands-')), 'signer.sock');
  const asked: string[] = [];
  const server = createServer((connection) => {
    createInterface({ input: connection }).on('line', (line) => {
      const { id, method } = JSON.parse(line) as { id: number; method: string };
      asked.push(method);
      connection.write(`${JSON.stringify({ id, result: answer(method) })}\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  return { server, asked, environment: { SIGNER_SOCKET: socket, SIGNER_OPERATOR_TOKEN: 'x'.repeat(32) } };
}

it('says that the kill switch is on where only the audit log cannot be written, and shows it without touching it', async () => {
  const status = { stops: [{ kind: 'export', why: 'switched on by hand', at: 0 }], changes: [] };
  const { server, asked, environment } = await aSigner((method) => (method === 'status' ? status : { waits: null }));
  const stopped = 'Stopped: export, since 1970-01-01T00:00:00.000Z, switched on by hand.\n';
  expect(await run('ops/kill-switch.ts', [], environment)).toEqual({ code: 0, stdout: stopped, stderr: '' });
  expect(asked.splice(0)).toEqual(['status']);
  const on = await run('ops/kill-switch.ts', ['on', 'export'], environment);
  server.close();
  expect([on.code, on.stdout]).toEqual([1, stopped]);
  expect(on.stderr).toContain('The signer did as asked, but the audit log does not have it: Hunter does not run here');
  expect(asked).toEqual(['setKillSwitch', 'status']);
});

it('says that a change took effect when the second operator agrees, also where the audit log cannot be written', async () => {
  let changes = [{ id: UUID, what: { kind: 'kill-switch-off', stop: 'transfer' }, from: 0, by: [1] }];
  const { server, environment } = await aSigner((method) => {
    if (method === 'confirmChange') changes = [];
    return method === 'status' ? { stops: [], changes } : {};
  });
  const { code, stdout, stderr } = await run('ops/signer-changes.ts', ['confirm', UUID], environment);
  server.close();
  expect([code, stdout]).toEqual([1, 'release of transfer: took effect.\nNo change waits.\n']);
  expect(stderr).toContain('The signer did as asked, but the audit log does not have it: Hunter does not run here');
});
