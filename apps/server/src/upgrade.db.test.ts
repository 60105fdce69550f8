import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { freePortPair } from '../../../scripts/free-ports.ts';
import { NatsServer } from '../../../scripts/nats.ts';
import { migrate, programVersion } from './platform/migrate.ts';
import type { Database } from './platform/postgres.ts';
import { useTestDatabase } from './platform/postgres-for-test.ts';

// Blue-green: a newer program has changed the schema, the older one goes on beside it, and one takes over from the other while
// requests come in over kept connections, as from a proxy that asks for readiness.

const main = fileURLToPath(new URL('main.ts', import.meta.url));
const migrations = fileURLToPath(new URL('../migrations', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'hunter-upgrade-'));
const nats = new NatsServer();
const running: ChildProcess[] = [];

let database: Database;
let url: string;
useTestDatabase((opened, openedUrl) => {
  database = opened;
  url = openedUrl;
});
beforeAll(() => nats.start());
afterEach(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    const ended = once(child, 'close');
    child.kill('SIGKILL');
    await ended;
  }
});
afterAll(async () => {
  await nats.kill();
  rmSync(folder, { recursive: true, force: true });
});

/** The product's own entry with all roles. Chain and signer are out of reach, which it survives. */
async function startServer() {
  const [port, opsPort] = [await freePortPair(), await freePortPair()];
  const child = spawn(process.execPath, [main], {
    env: {
      PATH: process.env['PATH'],
      HUNTER_MODE: 'local',
      PORT: String(port),
      HOST: '127.0.0.1',
      OPS_PORT: String(opsPort),
      DATA_DIR: folder,
      DATABASE_URL: url,
      NATS_URL: nats.url,
      LEASE_SECONDS: '300',
      DRAIN_SECONDS: '3',
      RATE_LIMIT_PER_SECOND: '100000',
      SOLANA_RPC_URL: 'http://127.0.0.1:9',
      SOLANA_WS_URL: 'ws://127.0.0.1:9',
      VENUE_URL: 'http://127.0.0.1:9',
      SIGNER_SOCKET: join(folder, 'signer.sock'),
      SIGNER_TOKEN: 'x'.repeat(32),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number, log }));
  const early = ended.then(() => Promise.reject(new Error(`the server ended at its start:\n${log}`)));
  await Promise.race([once(child.stdout, 'data'), early]);
  early.catch(() => {});
  return { child, port, opsPort, ended };
}

type Server = Awaited<ReturnType<typeof startServer>>;

/** What a proxy asks, without the chain and the signer that nobody has here. */
async function isReady({ opsPort }: Server): Promise<boolean> {
  const parts = (await (await fetch(`http://127.0.0.1:${opsPort}/ready`)).json()) as Record<string, { ok: boolean }>;
  return ['process', 'database', 'bus'].every((part) => parts[part]?.ok ?? part === 'process');
}

const lanesOf = async ({ child }: Server): Promise<number> => {
  const [row] = await database.query<{ count: number }>(
    `select count(*)::int as count from lease
     where starts_with(name, 'lane-') and starts_with(owner, $1) and until > clock_timestamp()`,
    [`process ${child.pid} on `],
  );
  return row!.count;
};

/** Requests over kept connections, each to a server that was ready lately. */
class Proxy {
  readonly #agent = new Agent({ keepAlive: true });
  readonly servers: Server[] = [];
  readonly answers: string[] = [];
  #isOpen = true;

  async send(): Promise<void> {
    for (let turn = 0; this.#isOpen; turn += 1) {
      const { port } = this.servers[turn % this.servers.length]!;
      this.answers.push(await this.#ask(port).catch((error: Error) => `failed: ${error.message}`));
    }
  }

  /** Looks at readiness as a proxy does, a few times a second. */
  async watch(): Promise<void> {
    while (this.#isOpen) {
      const [first] = this.servers;
      if (this.servers.length > 1 && !(await isReady(first!).catch(() => false))) this.servers.shift();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  close(): void {
    this.#isOpen = false;
  }

  #ask(port: number): Promise<string> {
    return new Promise((resolve, reject) => {
      const path = `/api/strategy/getStrategyList`;
      const asked = request({ port, path, agent: this.#agent, headers: { host: 'localhost' } }, (response) => {
        response.resume();
        response.once('error', reject);
        response.once('end', () => resolve(String(response.statusCode)));
      });
      asked.once('error', reject);
      asked.end();
    });
  }
}

it('hands over from an older program to a newer one without a failed request', async () => {
  const blue = await startServer();
  await expect.poll(() => lanesOf(blue)).toBe(64);
  const proxy = new Proxy();
  proxy.servers.push(blue);
  const sending = [proxy.send(), proxy.send(), proxy.send(), proxy.watch()];

  // A newer program changes a table that is being read.
  const newer = join(folder, 'migrations');
  mkdirSync(newer);
  for (const file of readdirSync(migrations)) copyFileSync(join(migrations, file), join(newer, file));
  writeFileSync(join(newer, '9000-newer.sql'), `alter table token add column added text not null default 'x'`);
  await migrate(url, newer);

  // Beside the older one another starts on the newer schema, and the older one is asked to stop.
  const green = await startServer();
  await expect.poll(() => isReady(green)).toBe(true);
  proxy.servers.push(green);
  blue.child.kill('SIGTERM');
  expect(await blue.ended).toMatchObject({ code: 0 });
  // The leases last five minutes; they are handed over, not waited for.
  await expect.poll(() => lanesOf(green)).toBe(64);
  const before = proxy.answers.length;
  await expect.poll(() => proxy.answers.length).toBeGreaterThan(before + 50);
  proxy.close();
  await Promise.all(sending);
  expect(Object.keys(Object.groupBy(proxy.answers, (answer) => answer))).toEqual(['200']);

  // A migration that takes something away finds out from this which programs still run.
  const programs = await database.query(
    `select substr(name, 9, 4) as version from lease where starts_with(name, 'program-') and until > clock_timestamp()`,
  );
  expect(programs).toEqual([{ version: await programVersion() }]);
});
