import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import type { Database } from './platform/postgres.ts';
import { useTestDatabase } from './platform/postgres-for-test.ts';

const main = fileURLToPath(new URL('main.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'hunter-second-server-'));
const servers: ChildProcess[] = [];

let database: Database;
let url: string;
useTestDatabase((opened, openedUrl) => {
  database = opened;
  url = openedUrl;
});
afterEach(async () => {
  for (const server of servers.splice(0)) {
    if (server.exitCode !== null || server.signalCode !== null) continue;
    const ended = once(server, 'close');
    server.kill('SIGKILL');
    await ended;
  }
  rmSync(folder, { recursive: true, force: true });
});

/** The product's own entry. Chain and signer are out of reach, which it survives; the lease comes before both. */
function startServer() {
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env['PATH'],
      HUNTER_MODE: 'local',
      PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: folder,
      DATABASE_URL: url,
      SOLANA_RPC_URL: 'http://127.0.0.1:9',
      SOLANA_WS_URL: 'ws://127.0.0.1:9',
      VENUE_URL: 'http://127.0.0.1:9',
      SIGNER_SOCKET: join(folder, 'signer.sock'),
      SIGNER_TOKEN: 'x'.repeat(32),
      SIMULATED_STRATEGIES: 'off',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  servers.push(child);
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, log }));
  return { child, ended };
}

async function hasTaken(server: { child: ChildProcess; ended: Promise<{ log: string }> }, epoch: bigint) {
  const ended = server.ended.then(({ log }) => {
    throw new Error(`the server ended without the lease:\n${log}`);
  });
  const taken = expect
    .poll(() => database.query(`select split_part(owner, ' ', 2) as process, epoch from lease`), { timeout: 120_000 })
    .toEqual([{ process: String(server.child.pid), epoch }]);
  await Promise.race([taken, ended]);
}

it('lets one server at a time run on a database', async () => {
  const first = startServer();
  await hasTaken(first, 1n);

  // Another one sees that the first renews its lease, says who it is, and ends.
  const refused = await startServer().ended;
  expect(refused.code).toBe(1);
  expect(refused.log).toMatch(
    new RegExp(
      `another server already runs on this database: process ${first.child.pid} on .+, since 20.+Z, lease valid until 20.+Z`,
    ),
  );
  expect(refused.log).toContain(
    'stop it there (SIGTERM) before this one starts, or give this one a database of its own (DATABASE_URL)',
  );

  // After a crash the next one does not wait for the lease to run out, however long that would take.
  first.child.kill('SIGKILL');
  await first.ended;
  await database.write(`update lease set until = until + interval '1 hour'`);
  const next = startServer();
  await hasTaken(next, 2n);
  await database.write(`update lease set until = clock_timestamp() + interval '5 seconds'`);

  // One that was paused until its lease had run out finds that it has been replaced.
  next.child.kill('SIGSTOP');
  const isOver = () => database.query(`select until < clock_timestamp() as over from lease`);
  await expect.poll(isOver, { timeout: 120_000 }).toEqual([{ over: true }]);
  const last = startServer();
  await hasTaken(last, 3n);
  next.child.kill('SIGCONT');
  const paused = await next.ended;
  expect(paused.code).toBe(1);
  expect(paused.log).toContain('another server has taken over this database while this one was paused');
});
