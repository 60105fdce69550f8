import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { hotMints, until } from '../../../scripts/product-client.ts';
import { startProduct, type ProductProcess } from '../../../scripts/product-process.ts';
import { SeededRandom } from '@hunter/domain/seeded-random';
import { checkInvariants } from './invariants.ts';
import { verifyAll } from './verify-all.ts';
import { isReady, killOne, parts, processOf, type Kill } from './killer.ts';
import { Crowd } from './people.ts';

export type SoakOptions = {
  minutes: number;
  seed: number;
  users: number;
  /** Mean pause between two kills. */
  killEveryMs: number;
  say: (line: string) => void;
  /** Keeps the data folder, to look into after a failure. */
  keep: boolean;
};

const READY_MS_MAX = 10_000;
const ARRIVE_APART_MS = 250;
/** Handles of a part at rest after the soak, over those before it: what a leak per request or per restart would pass. */
const HANDLES_MORE_MAX = 100;

export type SoakResult = { ok: boolean; broken: string[]; slowRestarts: Kill[] } & Record<string, unknown>;

/** People use the product while its parts are killed; afterwards nothing may be lost, doubled or unexplained. */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  const { say } = options;
  const folder = mkdtempSync(join(tmpdir(), 'hunter-soak-'));
  const environment = {
    SIMULATED_STRATEGIES: 'off',
    RATE_LIMIT_PER_SECOND: '100000',
    MARKET_SEED: `soak-${options.seed}`,
  };
  const product = await startProduct(folder, environment);
  const { web } = product.endpoints;
  const reports = collectReports(product);
  try {
    const mints = (await hotMints(web)).slice(0, 8);
    await until(() => isReady(web), 'the product to be ready');
    const before = handles(folder);
    const random = new SeededRandom(options.seed);
    const crowd = new Crowd(web, mints, options.seed);
    const lives = Array.from({ length: options.users }, async (_, index) => {
      await delay(index * ARRIVE_APART_MS);
      await crowd.live(index);
    });
    const kills: Kill[] = [];
    const neverReady: string[] = [];
    const endMs = performance.now() + options.minutes * 60_000;
    while (performance.now() < endMs) {
      await delay(Math.min(options.killEveryMs * (0.3 + 1.4 * random.next()), Math.max(0, endMs - performance.now())));
      if (performance.now() >= endMs) break;
      const kill = await killOne(folder, web, random).catch((error: Error) => error.message);
      if (typeof kill === 'string') {
        neverReady.push(kill);
        break;
      }
      kills.push(kill);
      say(`${kill.at} killed ${kill.part}, ready again after ${kill.readyMs} ms; ${crowd.counts.actions} actions`);
    }
    crowd.stop();
    await Promise.all(lives);
    say('the people have gone; waiting for rest');
    const invariants = await checkInvariants(product.endpoints);
    const { broken } = invariants;
    broken.push(...neverReady);
    for (const { key, orders } of crowd.presses)
      if (orders.size > 1) broken.push(`the key ${key} made ${orders.size} orders`);
    for (const line of crowd.counts.internal) broken.push(`internal error: ${line}`);
    const unexplained = await metric(web, 'hunter_unexplained_lamports');
    if (unexplained !== 0) broken.push(`${unexplained} lamports are unexplained`);
    const differing = await verifyAll(product);
    if (differing !== null) broken.push(`npm run verify -- --all: ${differing}`);
    const after = handles(folder);
    for (const part of parts) {
      const more = (after[part] ?? 0) - (before[part] ?? 0);
      if (more > HANDLES_MORE_MAX) broken.push(`${part} has ${more} more open handles than before`);
    }
    const unhandled = reports().filter((line) => /unhandled|uncaught/i.test(line));
    broken.push(...unhandled.map((line) => `in the log: ${line}`));
    const slowRestarts = kills.filter((kill) => kill.readyMs > READY_MS_MAX);
    const readyMs = kills.map((kill) => kill.readyMs).sort((left, right) => left - right);
    return {
      ok: broken.length === 0 && slowRestarts.length === 0,
      seed: options.seed,
      minutes: options.minutes,
      users: options.users,
      kills: kills.length,
      readyMedianMs: readyMs[Math.floor(readyMs.length / 2)] ?? null,
      readyMaxMs: readyMs.at(-1) ?? null,
      ...crowd.counts,
      ...invariants,
      broken,
      slowRestarts,
      handlesBefore: before,
      handlesAfter: after,
      memoryMb: memoryMb(folder),
      ...(options.keep ? { folder } : {}),
    };
  } finally {
    await product.stop();
    if (!options.keep) rmSync(folder, { recursive: true, force: true });
  }
}

function collectReports(product: ProductProcess): () => string[] {
  let text = '';
  const collect = (chunk: Buffer): void => void (text = `${text}${chunk.toString('utf8')}`.slice(-1_000_000));
  product.process.stdout?.on('data', collect);
  product.process.stderr?.on('data', collect);
  return () => text.split('\n');
}

async function metric(web: string, name: string): Promise<number> {
  const text = await (await fetch(`${web}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
}

/** Only Linux tells; elsewhere the comparison is left out. */
function handles(folder: string): Partial<Record<string, number>> {
  return perPart(folder, (pid) => readdirSync(`/proc/${pid}/fd`).length);
}

function memoryMb(folder: string): Partial<Record<string, number>> {
  return perPart(folder, (pid) => {
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return Math.round(Number(kilobytes) / 1024);
  });
}

function perPart(folder: string, measure: (pid: number) => number): Partial<Record<string, number>> {
  const measured: Partial<Record<string, number>> = {};
  for (const part of parts) {
    try {
      const pid = processOf(folder, part);
      if (pid !== null) measured[part] = measure(pid);
    } catch {
      // Not Linux, or the part ended just now.
    }
  }
  return measured;
}
