/**
 * Nobody learns from an answer, by its bytes or its time, whether an address has an account: logins, requests for a code and resets are
 * tried with and without one, in a random order. Takes the number of tries of each kind, 2,000 unless told.
 */
import { createHash, randomInt } from 'node:crypto';
import { spawn, type ChildProcess } from 'node:child_process';
import http from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Database } from '../../apps/server/src/platform/postgres.ts';
import { decideDistinguishable } from './distinguishable.ts';
import type { Figures } from '../../scripts/run-named.ts';
import { withDatabase } from '../../scripts/temporary-database.ts';

type Try = { path: string; body: (email: string) => object };

const password = 'not the password of anybody';
const tries: Readonly<Record<string, Try>> = {
  login: { path: '/api/login/check', body: (email) => ({ email, password }) },
  codeToRegister: { path: '/api/login/sendEmailCode', body: (email) => ({ email, purpose: 'register' }) },
  codeToReset: { path: '/api/login/sendEmailCode', body: (email) => ({ email, purpose: 'reset' }) },
  reset: {
    path: '/api/login/resetPassword',
    body: (email) => ({ email, verificationCode: '000000', password, confirmPassword: password }),
  },
};

export default async function proveEnumeration([count = '2000']: readonly string[]): Promise<Figures> {
  return withDatabase(async (database, databaseUrl) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, '../../bench/src/auth-server.ts')], {
      env: { ...process.env, DATABASE_URL: databaseUrl },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    try {
      const url = await readyUrl(child);
      await insertUsers(database, Number(count));
      const figures: Record<string, unknown> = {};
      let ok = true;
      for (const [name, kind] of Object.entries(tries)) {
        const { times, answers } = await tryAll(url, kind, Number(count));
        const verdict = decideDistinguishable(times.known, times.unknown);
        figures[name] = { ...verdict, differentAnswers: answers.size };
        ok &&= !verdict.distinguishable && answers.size === 1;
      }
      return { triesEach: Number(count), ...figures, ok };
    } finally {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.stdin?.end();
      await gone;
    }
  });
}

/** Addresses of the same length and shape, half of which have an account; no order among them tells which. */
function emailOf(kind: 'known' | 'unknown', index: number): string {
  return `${createHash('sha256').update(`${kind} ${index}`).digest('hex').slice(0, 12)}@example.com`;
}

async function insertUsers(database: Database, count: number): Promise<void> {
  await database.write(
    `insert into users (email, email_key, password_hash, display_name)
     select e, e, (select password_hash from users limit 1), e from unnest($1::text[]) e`,
    [Array.from({ length: count }, (_, index) => emailOf('known', index))],
  );
  // A table that was just filled is read slowly at first, by whoever comes first.
  await database.write('analyze users');
}

async function tryAll(url: string, kind: Try, count: number) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
  const answers = new Set<string>();
  const left = { known: count, unknown: count };
  const next = { known: 0, unknown: 0 };
  while (left.known + left.unknown > 0) {
    const who = randomInt(left.known + left.unknown) < left.known ? 'known' : 'unknown';
    left[who] -= 1;
    const body = JSON.stringify(kind.body(emailOf(who, next[who])));
    next[who] += 1;
    const startedMs = performance.now();
    const answer = await post(agent, url + kind.path, body);
    times[who].push(performance.now() - startedMs);
    answers.add(answer);
  }
  agent.destroy();
  return { times, answers };
}

/** Everything an outsider sees, but for the clock and the count of what is left of the rate limit. */
function post(agent: http.Agent, url: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const request = http.request(url, { agent, method: 'POST', headers }, (reply) => {
      const chunks: Buffer[] = [];
      reply.on('data', (chunk: Buffer) => chunks.push(chunk));
      reply.on('end', () => {
        const { date: _date, 'x-request-id': _id, ...seen } = reply.headers;
        resolve(JSON.stringify([reply.statusCode, seen, Buffer.concat(chunks).toString('utf8')]));
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

function readyUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server exited with code ${code}`)));
    createInterface({ input: child.stdout! }).on('line', (line) => resolve((JSON.parse(line) as { url: string }).url));
  });
}
