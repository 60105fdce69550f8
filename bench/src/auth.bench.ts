/**
 * A market read while people log in: password hashes run beside the event loop, so twenty logins a second may cost the
 * read at most 1.3 times its p99. Reads and logins go over HTTP to the product's own server in a process of its own.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Worker } from 'node:worker_threads';
import { askAtRate, type Load } from './auth-load.ts';
import type { Figures } from './run-named.ts';
import { withDatabase } from './temporary-database.ts';

const LOGINS_PER_SECOND = 20;
const READS_PER_SECOND = 200;
const RATIO_MAX = 1.3;

export default async function measureAuth([seconds = '2', rounds = '15']: readonly string[]): Promise<Figures> {
  return withDatabase(async (_database, databaseUrl) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'auth-server.ts')], {
      env: { ...process.env, DATABASE_URL: databaseUrl },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    try {
      const url = await readyUrl(child);
      return await measure(url, Number(seconds) * 1000, Number(rounds));
    } finally {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.stdin?.end();
      await gone;
    }
  });
}

async function measure(url: string, milliseconds: number, rounds: number): Promise<Figures> {
  // Those who log in do not share an event loop with those who read.
  const strangers = new Worker(new URL('./auth-load.ts', import.meta.url));
  await Promise.all([readFor(url, milliseconds), loginFor(strangers, url, milliseconds)]);
  const alone: number[] = [];
  const during: number[] = [];
  let logins = 0;
  // The two take turns, so that a busy machine slows both.
  for (let round = 0; round < rounds; round += 1) {
    alone.push(...(await readFor(url, milliseconds)));
    const loggingIn = loginFor(strangers, url, milliseconds);
    during.push(...(await readFor(url, milliseconds)));
    logins += await loggingIn;
  }
  await strangers.terminate();
  const ratio = percentile(during, 0.99) / percentile(alone, 0.99);
  return {
    reads: alone.length,
    logins,
    aloneP50Ms: rounded(percentile(alone, 0.5)),
    aloneP99Ms: rounded(percentile(alone, 0.99)),
    duringP50Ms: rounded(percentile(during, 0.5)),
    duringP99Ms: rounded(percentile(during, 0.99)),
    ratio: rounded(ratio),
    ratioMax: RATIO_MAX,
    ok: ratio <= RATIO_MAX,
  };
}

function readFor(url: string, milliseconds: number): Promise<number[]> {
  return askAtRate({ url: `${url}/api/config`, body: null, perSecond: READS_PER_SECOND, milliseconds });
}

async function loginFor(strangers: Worker, url: string, milliseconds: number): Promise<number> {
  const load: Load = {
    url: `${url}/api/login/check`,
    body: { email: 'bench@example.com', password: 'the password of a bench' },
    perSecond: LOGINS_PER_SECOND,
    milliseconds,
  };
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin, unlike a window
  strangers.postMessage(load);
  const [logins] = (await once(strangers, 'message')) as [number];
  return logins;
}

function readyUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server exited with code ${code}`)));
    createInterface({ input: child.stdout! }).on('line', (line) => resolve((JSON.parse(line) as { url: string }).url));
  });
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
