import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SeededRandom } from '@hunter/domain/seeded-random';
import { RpcClient } from '@hunter/solana/rpc-client';
import { freePort } from '../../../apps/launcher/src/free-port.ts';
import { NatsServer } from '../../../scripts/nats.ts';
import { hotMints, until } from '../../../scripts/product-client.ts';
import { startProduct } from '../../../scripts/product-process.ts';
import { checkAtRest } from './at-rest.ts';
import { Attackers } from './attackers.ts';
import { type Kill, isReady, killOne, pauseOne } from './killer.ts';
import { megabytesPerMinute, type Sample } from './memory-slope.ts';
import { Crowd } from './people.ts';
import { collectReports, handlesOf, memoryMbOf } from './product-parts.ts';
import { reservesProblem } from './reserves.ts';
import { triggerLateness } from './trigger-lateness.ts';

export type SoakOptions = {
  minutes: number;
  seed: number;
  users: number;
  /** Mean time between two kills or pauses. */
  disturbEveryMs: number;
  /** Every role is a process of its own, with NATS between them; parts are also paused, and attackers are at work. */
  isWhole: boolean;
  say: (line: string) => void;
};

const READY_MS_MAX = 10_000;
const ARRIVE_APART_MS = 250;
/** Handles of a part at rest after the soak, over those before it: what a leak per request or per restart would pass. */
const HANDLES_MORE_MAX = 100;
const LEASE_SECONDS = 3;
/** Longer than a lease, so that another process takes over meanwhile. */
const PAUSE_MS = 4_500;
const PAUSE_SHARE = 0.35;
/** Until then caches fill; of a short run, this part of it. */
const WARM_UP_MS = 5 * 60_000;
const WARM_UP_SHARE = 0.5;
const SAMPLE_EVERY_MS = 10_000;

export const ROLES = ['api-1', 'api-2', 'stream-1', 'stream-2', 'engine-1', 'engine-2', 'indexer', 'jobs'] as const;
const BESIDE = ['localnet', 'signer', 'postgres'];

/** People use the product while its parts are killed; afterwards nothing may be lost, doubled or unexplained. */
export async function soak(options: SoakOptions): Promise<{ ok: boolean } & Record<string, unknown>> {
  const { say, isWhole } = options;
  const folder = mkdtempSync(join(tmpdir(), 'hunter-soak-'));
  const nats = isWhole ? new NatsServer() : null;
  await nats?.start();
  const ops = await freePort();
  const parts = isWhole ? [...ROLES, ...BESIDE] : ['server', ...BESIDE];
  const product = await startProduct(
    folder,
    {
      SIMULATED_STRATEGIES: 'off',
      RATE_LIMIT_PER_SECOND: '100000',
      MARKET_SEED: `soak-${options.seed}`,
      SIGNER_LARGE_SOL: '1',
      OPS_PORT: String(ops),
      ...(nats && { NATS_URL: nats.url, LEASE_SECONDS: String(LEASE_SECONDS) }),
    },
    isWhole ? ['--api', '2', '--stream', '2', '--engines', '2'] : [],
  );
  const { web, rpc: rpcUrl } = product.endpoints;
  const rpc = new RpcClient({ url: rpcUrl });
  const reports = collectReports(product);
  // What is broken can only be understood with what the product has kept.
  let isKept = true;
  try {
    const mints = (await hotMints(web)).slice(0, 8);
    await until(() => isReady(web), 'the product to be ready', 180_000);
    const before = handlesOf(folder, parts);
    const random = new SeededRandom(options.seed);
    const crowd = new Crowd(web, mints, options.seed);
    const attackers = new Attackers({ web, rpc, dataDirectory: folder, mints });
    const attacks = isWhole ? attackers.live() : Promise.resolve();
    const lives = Array.from({ length: options.users }, async (_, index) => {
      await delay(index * ARRIVE_APART_MS);
      await crowd.live(index);
    });
    const kills: Kill[] = [];
    let pauses = 0;
    const neverReady: string[] = [];
    const samples: Sample[] = [];
    const startMs = performance.now();
    const warmUpMs = Math.min(WARM_UP_MS, options.minutes * 60_000 * WARM_UP_SHARE);
    const sampling = setInterval(() => {
      const atMs = performance.now() - startMs;
      const measured = Object.values(memoryMbOf(folder, parts));
      // While a part is being started again the sum says nothing.
      if (atMs <= warmUpMs || measured.length < parts.length) return;
      samples.push({ atMs, megabytes: measured.reduce((sum, one) => sum + one, 0) });
    }, SAMPLE_EVERY_MS);
    const endMs = startMs + options.minutes * 60_000;
    const apis = new Map(['api-1', 'api-2'].map((name, index) => [name, `http://127.0.0.1:${ops + index}`]));
    while (performance.now() < endMs) {
      await delay(
        Math.min(options.disturbEveryMs * (0.3 + 1.4 * random.next()), Math.max(0, endMs - performance.now())),
      );
      if (performance.now() >= endMs) break;
      const killable = { dataDirectory: folder, web, nats, ...(isWhole ? { apis } : {}) };
      if (isWhole && random.chance(PAUSE_SHARE)) {
        await pauseOne(killable, random.pick(ROLES), PAUSE_MS);
        pauses += 1;
        continue;
      }
      const part = random.pick(isWhole ? [...parts, 'nats'] : parts);
      const kill = await killOne(killable, part).catch((error: Error) => error.message);
      if (typeof kill === 'string') {
        neverReady.push(kill);
        break;
      }
      kills.push(kill);
      say(`${kill.at} killed ${kill.part}, ready again after ${kill.readyMs} ms; ${crowd.counts.actions} actions`);
    }
    clearInterval(sampling);
    crowd.stop();
    attackers.stop();
    await Promise.all([...lives, attacks]);
    say('everybody has gone; waiting for rest');
    const jobs = `http://127.0.0.1:${isWhole ? ops + ROLES.indexOf('jobs') : ops}`;
    const invariants = await checkAtRest(product, crowd, jobs);
    const { broken } = invariants;
    const gains = (await attackers.gains()).map((gain) => `a thief was paid: ${gain}`);
    broken.push(...neverReady, ...attackers.breaches.map((breach) => `an attacker got through: ${breach}`), ...gains);
    const uncovered = await reservesProblem(folder);
    if (uncovered !== null) broken.push(`npm run reserves: ${uncovered}`);
    const after = handlesOf(folder, parts);
    for (const part of parts) {
      const more = (after[part] ?? 0) - (before[part] ?? 0);
      if (more > HANDLES_MORE_MAX) broken.push(`${part} has ${more} more open handles than before`);
    }
    const failures = reports().filter((line) => /unhandled|uncaught|a request failed/i.test(line));
    broken.push(...failures.map((line) => `in the log: ${line.slice(0, 1_000)}`));
    isKept = broken.length > 0;
    if (isKept) say(`broken; logs, database and chain are kept in ${folder}`);
    const slowRestarts = kills.filter((kill) => kill.readyMs > READY_MS_MAX);
    const readyMs = kills.map((kill) => kill.readyMs).sort((left, right) => left - right);
    return {
      ok: broken.length === 0 && slowRestarts.length === 0,
      seed: options.seed,
      minutes: options.minutes,
      users: options.users,
      kills: kills.length,
      pauses,
      readyMedianMs: readyMs[Math.floor(readyMs.length / 2)] ?? null,
      readyMaxMs: readyMs.at(-1) ?? null,
      attackers: attackers.tallies,
      ...crowd.counts,
      ...invariants,
      ...(await triggerLateness(product.endpoints.postgres)),
      broken,
      slowRestarts,
      handlesBefore: before,
      handlesAfter: after,
      memoryMb: memoryMbOf(folder, parts),
      memorySlopeMbPerMinute: megabytesPerMinute(samples),
    };
  } finally {
    rpc.close();
    await product.stop();
    await nats?.kill();
    if (!isKept) rmSync(folder, { recursive: true, force: true });
  }
}
