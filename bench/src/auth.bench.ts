/**
 * A market read while people log in: password hashes run beside the event loop, so twenty logins a second may cost the
 * read at most 1.3 times its p99. Reads and logins go over HTTP to the product's own server in a process of its own.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import http from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Figures } from './run-named.ts';
import { withDatabase } from './temporary-database.ts';

const LOGINS_PER_SECOND = 20;
const READS_PER_SECOND = 100;
const RATIO_MAX = 1.3;

export default async function measureAuth([seconds = '8', rounds = '3']: readonly string[]): Promise<Figures> {
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
  await readFor(url, milliseconds / 4);
  const alone: number[] = [];
  const during: number[] = [];
  let logins = 0;
  // The two take turns, so that a busy machine slows both.
  for (let round = 0; round < rounds; round += 1) {
    alone.push(...(await readFor(url, milliseconds)));
    const loggingIn = loginFor(url, milliseconds);
    during.push(...(await readFor(url, milliseconds)));
    logins += await loggingIn;
  }
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

/** Reads start at a fixed rate, whether or not earlier ones have been answered: a stalled server cannot hide. */
async function readFor(url: string, milliseconds: number): Promise<number[]> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 32 });
  const times: number[] = [];
  const reads = await atRate(READS_PER_SECOND, milliseconds, async () => {
    const start = performance.now();
    await ask(agent, `${url}/api/config`, null);
    times.push(performance.now() - start);
  });
  await Promise.all(reads);
  agent.destroy();
  return times;
}

async function loginFor(url: string, milliseconds: number): Promise<number> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 32 });
  const logins = await atRate(LOGINS_PER_SECOND, milliseconds, () =>
    ask(agent, `${url}/api/login/check`, { email: 'bench@example.com', password: 'the password of a bench' }),
  );
  await Promise.all(logins);
  agent.destroy();
  return logins.length;
}

async function atRate(perSecond: number, milliseconds: number, run: () => Promise<void>): Promise<Promise<void>[]> {
  const started: Promise<void>[] = [];
  const startMs = performance.now();
  for (let elapsedMs = 0; elapsedMs < milliseconds; elapsedMs = performance.now() - startMs) {
    const due = Math.floor((elapsedMs * perSecond) / 1000) + 1;
    while (started.length < due) started.push(run());
    await new Promise((resolve) => setTimeout(resolve, 1000 / perSecond / 2));
  }
  return started;
}

function ask(agent: http.Agent, url: string, body: object | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = http.request(url, { agent, method: body ? 'POST' : 'GET' }, (reply) => {
      let text = '';
      reply.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')));
      reply.on('end', () => {
        const { code } = JSON.parse(text) as { code: number };
        if (code === 200) resolve();
        else reject(new Error(`${url} answered ${text}`));
      });
    });
    request.on('error', reject);
    request.end(body ? JSON.stringify(body) : undefined);
  });
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
