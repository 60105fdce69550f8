import type { Call } from '@hunter/contract/call';
import { calls } from '@hunter/contract/calls';
import { channelName } from '@hunter/contract/stream';
import { Agent, request as httpRequest } from 'node:http';
import { WebSocket } from 'ws';
import { hotMints, insist, registerUser, untilFunded, type ProductUser } from '../../../scripts/product-client.ts';
import { hostileRequest, type HostileRequest, type KnownValues } from './hostile-request.ts';
import { SeededRandom } from '@hunter/domain/seeded-random';

const AT_ONCE = 24;
/** The longest honest answer waits 10 s for the chain and up to 15 s for a repetition of itself. */
const ANSWER_MS_MAX = 45_000;
const FAULTS_SHOWN = 20;

export type FuzzFault = { request: string; problem: string };
export type FuzzResult = {
  requests: number;
  streamMessages: number;
  /** Answers by envelope code. */
  codes: Record<string, number>;
  faults: FuzzFault[];
};

/** Sends hostile requests and messages; every answer must be an envelope, and none may be our own fault. */
export async function fuzz(web: string, options: { requests: number; seed: number }): Promise<FuzzResult> {
  const random = new SeededRandom(options.seed);
  const users = [
    await registerUser(web, `fuzz-a-${options.seed}-${Date.now()}@example.com`),
    await registerUser(web, `fuzz-b-${options.seed}-${Date.now()}@example.com`),
  ];
  for (const user of users) await untilFunded(web, user);
  const known = await knownValues(web, users);
  // Mostly people who are logged in: whoever is not is turned away before anything interesting happens.
  const [first, second] = users.map((user) => user.token);
  const tokens = [undefined, first, first, first, first, second, second, 'x'.repeat(43), ''];
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  const result: FuzzResult = { requests: 0, streamMessages: 0, codes: {}, faults: [] };
  const all = Object.entries(calls) as [string, Call][];
  // Ending the sessions by chance would leave everything after it at the door.
  const rare = new Set(['logout', 'resetPassword', 'revokeSession', 'changePassword', 'closeStrategy']);
  const worker = async (): Promise<void> => {
    while (result.requests < options.requests && result.faults.length < FAULTS_SHOWN) {
      result.requests += 1;
      const [name, definition] = random.pick(all);
      if (rare.has(name) && !random.chance(0.1)) continue;
      const token = rare.has(name) ? undefined : random.pick(tokens);
      const hostile = hostileRequest(definition, known, random);
      const outcome = await send(agent, web, hostile, headersFor(token, random));
      const code = typeof outcome === 'string' ? outcome : String(outcome.code);
      result.codes[code] = (result.codes[code] ?? 0) + 1;
      const problem = problemOf(outcome);
      if (problem !== null) {
        const shown = `${hostile.method} ${hostile.path} ${hostile.body ?? ''}`.slice(0, 1_000);
        result.faults.push({ request: shown, problem });
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  agent.destroy();
  const messages = await fuzzStream(web, users[0]!, known, { random, messages: Math.ceil(options.requests / 10) });
  result.streamMessages = messages.sent;
  result.faults.push(...messages.faults);
  return result;
}

async function knownValues(web: string, users: readonly ProductUser[]): Promise<KnownValues> {
  const mints = (await hotMints(web)).slice(0, 6);
  const token = users[0]!.token;
  await insist(web, 'createStrategy', { name: `Fuzz ${Date.now()}`, capital: '1', autoClear: true }, { token });
  const { lists } = (await insist(web, 'getStrategyList', {})) as { lists: { slug: string }[] };
  const amount = (await insist(web, 'getMyTokenAmount', { tokenContractAddress: mints[0] }, { token })) as {
    books: { bookId: string }[];
  };
  return {
    mints,
    slugs: lists.map((strategy) => strategy.slug),
    ids: [...amount.books.map((book) => book.bookId), '00000000-0000-4000-8000-000000000000'],
    emails: [...users.map((user) => user.email), 'nobody@example.com'],
    passwords: [users[0]!.password, 'another fine password 9', '12345678'],
    codes: ['000000', '123456', '999999'],
  };
}

function headersFor(token: string | undefined, random: SeededRandom): Record<string, string> {
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (token !== undefined) headers['token'] = token;
  if (random.chance(0.1)) headers['content-type'] = random.pick(['text/plain', 'application/xml', '*/*', 'x', '']);
  if (random.chance(0.1))
    headers['idempotency-key'] = random.pick(['k', 'x'.repeat(200), 'x'.repeat(201), ' ', '\u00e9']);
  if (random.chance(0.05)) headers['accept-language'] = random.pick(['zh', 'zh-CN', '*', 'x'.repeat(500)]);
  if (random.chance(0.05)) headers['user-agent'] = random.pick(['', 'x'.repeat(2_000), '<b>']);
  if (random.chance(0.05)) headers['x-forwarded-for'] = random.pick(['1.2.3.4', 'x', '::1']);
  return headers;
}

type Outcome = { status: number; code: unknown } | string;

function send(agent: Agent, web: string, hostile: HostileRequest, headers: Record<string, string>): Promise<Outcome> {
  const { hostname, port } = new URL(web);
  return new Promise((resolve) => {
    const request = httpRequest(
      { agent, hostname, port, method: hostile.method, path: hostile.path, headers, timeout: ANSWER_MS_MAX },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => {
          try {
            const { code } = JSON.parse(text) as { code: unknown };
            resolve({ status: response.statusCode ?? 0, code });
          } catch {
            resolve(`no envelope: ${response.statusCode} ${text.slice(0, 200)}`);
          }
        });
        response.on('error', (error) => resolve(`cut off: ${error.message}`));
      },
    );
    request.on('timeout', () => request.destroy(new Error('no answer')));
    request.on('error', (error) => resolve(`failed: ${error.message}`));
    request.end(hostile.body ?? undefined);
  });
}

function problemOf(outcome: Outcome): string | null {
  if (typeof outcome === 'string') return outcome;
  if (outcome.status >= 500) return `status ${outcome.status}`;
  if (typeof outcome.code !== 'number') return 'an envelope without a code';
  return outcome.code === 500 ? 'envelope code 500' : null;
}

async function fuzzStream(
  web: string,
  user: ProductUser,
  known: KnownValues,
  { random, messages }: { random: SeededRandom; messages: number },
): Promise<{ sent: number; faults: FuzzFault[] }> {
  const faults: FuzzFault[] = [];
  let sent = 0;
  while (sent < messages && faults.length < FAULTS_SHOWN) {
    const socket = new WebSocket(`${web.replace('http', 'ws')}/api/stream`);
    const batch = Array.from({ length: Math.min(50, messages - sent) }, () => hostileMessage(user, known, random));
    sent += batch.length;
    const problem = await streamOutcome(socket, batch);
    if (problem !== null) faults.push({ request: `stream: ${JSON.stringify(batch).slice(0, 1_000)}`, problem });
  }
  return { sent, faults };
}

/** A hostile message may be refused or cost the connection, but never by an internal error (1011). */
function streamOutcome(socket: WebSocket, batch: readonly (string | Buffer)[]): Promise<string | null> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => done('the stream does not answer'), ANSWER_MS_MAX);
    const done = (problem: string | null): void => {
      clearTimeout(timer);
      socket.terminate();
      resolve(problem);
    };
    socket.on('open', () => {
      for (const message of batch) socket.send(message);
      socket.send('{"op":"ping"}');
    });
    socket.on('message', (data: Buffer) => {
      if (data.toString('utf8').includes('"pong"')) done(null);
    });
    socket.on('close', (code) => done(code === 1011 || code === 1006 ? `closed with ${code}` : null));
    socket.on('error', (error) => done(`failed: ${error.message}`));
  });
}

function hostileMessage(user: ProductUser, known: KnownValues, random: SeededRandom): string | Buffer {
  const key = random.pick([
    ...known.mints,
    `${known.mints[0]}:1m`,
    `${known.mints[0]}:9m`,
    'all',
    'me',
    '',
    '__proto__',
    '\u0000',
    '\ud800',
    'x'.repeat(101),
    ':',
  ]);
  const channel = random.pick([...channelName.options, '__proto__', 'constructor', '']);
  return random.pick<string | Buffer>([
    JSON.stringify({ op: 'subscribe', channel, key }),
    JSON.stringify({ op: 'subscribe', channel, key }),
    JSON.stringify({ op: 'unsubscribe', channel, key }),
    JSON.stringify({ op: 'auth', token: user.token }),
    JSON.stringify({ op: random.pick(['__proto__', 'subscribe', '', 1, null]), key, channel: {} }),
    '',
    'null',
    '[]',
    '{',
    '['.repeat(3_000),
    Buffer.from([0xff, 0xfe, 0x00]),
  ]);
}
