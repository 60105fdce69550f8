/**
 * Two API, two stream and two engine processes, one indexer and one for jobs, with leases of three seconds, while people use the
 * product: every process is killed and paused for longer than a lease, over and over; NATS and PostgreSQL are killed too. Afterwards
 * books equal the chain, nothing is lost, doubled or unexplained, no copy contradicts its round, and `npm run verify` agrees; all the
 * while what API processes answer from memory is what the store says. Takes
 * rounds (20), users (60) and seed (1); a round kills and pauses every process once, and NATS and PostgreSQL, and takes about two and a
 * half minutes: run it in the background, with its output in a file. Progress goes to stderr, round by round; the last line is the result.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SeededRandom } from '@hunter/domain/seeded-random';
import { WebSocket } from 'ws';
import { freePort } from '../../apps/launcher/src/free-port.ts';
import { NatsServer } from '../../scripts/nats.ts';
import { hotMints, insist, registerUser, until } from '../../scripts/product-client.ts';
import { startProduct } from '../../scripts/product-process.ts';
import type { Figures } from '../../scripts/run-named.ts';
import { checkAtRest } from './soak/at-rest.ts';
import { isReady, killOne, pauseOne } from './soak/killer.ts';
import { MarketMemory } from './soak/market-memory.ts';
import { Crowd } from './soak/people.ts';
import { collectReports } from './soak/product-parts.ts';
import { ROLES } from './soak/soak.ts';

const LEASE_SECONDS = 3;
const PAUSE_MS = 4_500;
const REVOKED_MS_MAX = 1_000;

type Disturbed = { part: string; how: 'kill' | 'pause' };

export default async function proveRoles([
  rounds = '20',
  users = '60',
  seed = '1',
]: readonly string[]): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'hunter-roles-'));
  const nats = new NatsServer();
  await nats.start();
  const ops = await freePort();
  const product = await startProduct(
    folder,
    {
      NATS_URL: nats.url,
      LEASE_SECONDS: String(LEASE_SECONDS),
      OPS_PORT: String(ops),
      SIMULATED_STRATEGIES: 'off',
      RATE_LIMIT_PER_SECOND: '100000',
      MARKET_SEED: `roles-${seed}`,
    },
    ['--api', '2', '--stream', '2', '--engines', '2'],
  );
  const { web } = product.endpoints;
  const reports = collectReports(product);
  try {
    await until(() => isReady(web), 'the product to be ready', 120_000);
    const mints = (await hotMints(web)).slice(0, 8);
    const crowd = new Crowd(web, mints, Number(seed));
    const memory = new MarketMemory(web, product.endpoints.postgres, mints);
    memory.start();
    const lives = Array.from({ length: Number(users) }, async (_, index) => {
      await delay(index * 250);
      await crowd.live(index);
    });
    const disturbed: Disturbed[] = [];
    const revokedAfterMs = [await revoke(web)];
    const random = new SeededRandom(Number(seed));
    for (let round = 1; round <= Number(rounds); round += 1) {
      for (const each of shuffled(disturbances(), random)) {
        if (each.how === 'kill') await killOne({ dataDirectory: folder, web, nats }, each.part);
        else await pauseOne({ dataDirectory: folder, web, nats }, each.part, PAUSE_MS);
        disturbed.push(each);
        await delay(500 + 2_000 * random.next());
      }
      await until(() => isReady(web), 'the product to be ready after a round', 120_000);
      revokedAfterMs.push(await revoke(web));
      process.stderr.write(`round ${round} of ${rounds}: ${crowd.counts.actions} actions\n`);
    }
    crowd.stop();
    await Promise.all(lives);
    await until(() => isReady(web), 'the product to be ready at the end', 120_000);
    await memory.stop();
    const invariants = await checkAtRest(product, crowd, `http://127.0.0.1:${ops + ROLES.indexOf('jobs')}`);
    const { broken } = invariants;
    const failed = reports().filter((line) => line.includes('a request failed'));
    broken.push(...failed.map((line) => `in the log: ${line.slice(0, 1_000)}`));
    broken.push(...memory.different.map((difference) => `memory differs from the store: ${difference}`));
    const slowest = Math.max(...revokedAfterMs);
    if (slowest > REVOKED_MS_MAX) broken.push(`a revoked token was accepted ${slowest} ms after its end`);
    const count = (how: Disturbed['how']) =>
      Object.fromEntries(
        Map.groupBy(
          disturbed.filter((one) => one.how === how),
          ({ part }) => part,
        )
          .entries()
          .map(([part, all]) => [part, all.length]),
      );
    return {
      ok: broken.length === 0,
      kills: count('kill'),
      pauses: count('pause'),
      revokedAfterMs,
      memoryLooks: memory.looks,
      ...crowd.counts,
      ...invariants,
      broken,
    };
  } finally {
    await product.stop();
    await nats.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

function disturbances(): Disturbed[] {
  return [
    ...ROLES.flatMap((part) => [
      { part, how: 'kill' as const },
      { part, how: 'pause' as const },
    ]),
    { part: 'nats', how: 'kill' },
    { part: 'postgres', how: 'kill' },
  ];
}

/** How long after the answer to a logout the token was still accepted anywhere, by a call or by an open socket. */
async function revoke(web: string): Promise<number> {
  const user = await registerUser(web, `revoked-${Date.now()}@roles.example`);
  const sockets = await Promise.all(Array.from({ length: 8 }, () => openSocket(web, user.token)));
  await insist(web, 'logout', {}, { token: user.token });
  const startedMs = performance.now();
  let lastMs = 0;
  while (performance.now() - startedMs < 2 * REVOKED_MS_MAX) {
    const statuses = await Promise.all(Array.from({ length: 8 }, () => statusOf(web, user.token)));
    const isOpen = sockets.some(({ readyState }) => readyState === WebSocket.OPEN);
    if (isOpen || statuses.includes(200)) lastMs = Math.round(performance.now() - startedMs);
  }
  return lastMs;
}

/** Over a connection of its own, so that all processes are asked. */
async function statusOf(web: string, token: string): Promise<number> {
  const response = await fetch(`${web}/api/user/myWallet?chainId=501_1`, { headers: { token, connection: 'close' } });
  await response.text();
  return response.status;
}

async function openSocket(web: string, token: string): Promise<WebSocket> {
  const socket = new WebSocket(`${web.replace('http', 'ws')}/api/stream`);
  socket.on('error', () => {});
  await new Promise((resolve) => socket.once('open', resolve));
  const answered = new Promise((resolve) => socket.once('message', resolve));
  socket.send(JSON.stringify({ op: 'auth', token }));
  await answered;
  return socket;
}

function shuffled<T>(items: readonly T[], random: SeededRandom): T[] {
  return items
    .map((item) => ({ item, place: random.next() }))
    .sort((left, right) => left.place - right.place)
    .map(({ item }) => item);
}
