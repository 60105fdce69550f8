import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { ask, insist, type ProductUser } from '../../../scripts/product-client.ts';

// Ways to misuse the doors themselves, each with what should come of it.

/**
 * How a request of that many bytes is answered. A server that refuses it without reading it all may cut the line while
 * the sender still writes, who then never reads the refusal.
 */
export async function sendBody(web: string, bytes: number): Promise<number | 'cut off'> {
  try {
    const response = await fetch(`${web}/api/login/check`, { method: 'POST', body: 'x'.repeat(bytes) });
    return ((await response.json()) as { code: number }).code;
  } catch {
    return 'cut off';
  }
}

/** Trickles a body byte by byte; answers how long the server bore it. */
export async function sendSlowBody(web: string, patienceMs: number): Promise<number> {
  const startedMs = performance.now();
  const socket = await opened(web);
  socket.resume();
  socket.write('POST /api/login/check HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n');
  while (!socket.destroyed && performance.now() - startedMs < patienceMs) {
    socket.write('x');
    await delay(500);
  }
  socket.destroy();
  return performance.now() - startedMs;
}

/** Opens connections that say nothing and answers how long an honest request takes beside them. */
export async function besideIdleSockets(web: string, count: number): Promise<{ opened: number; answerMs: number }> {
  const sockets: Socket[] = [];
  try {
    while (sockets.length < count) {
      sockets.push(
        ...(await Promise.all(Array.from({ length: Math.min(100, count - sockets.length) }, () => opened(web)))),
      );
    }
    const startedMs = performance.now();
    await insist(web, 'getConfig');
    return { opened: sockets.length, answerMs: performance.now() - startedMs };
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}

function opened(web: string): Promise<Socket> {
  const { port } = new URL(web);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: 'localhost', port: Number(port) }, () => resolve(socket));
    socket.on('error', reject);
  });
}

/** The status with which the stream answers a page of that origin; 101 lets it in. */
export function streamFrom(web: string, origin: string | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${web.replace('http', 'ws')}/api/stream`, origin === undefined ? {} : { origin });
    socket.on('open', () => {
      socket.terminate();
      resolve(101);
    });
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0));
    socket.on('error', reject);
  });
}

/** Answers the outcomes of posting one order with one key: twice alike, once changed, and once by somebody else. */
export async function replayKey(web: string, owner: ProductUser, thief: ProductUser, mint: string) {
  const idempotencyKey = randomUUID();
  const order = { tokenContractAddress: mint, side: 'buy', amount: '0.011' };
  const asOwner = { token: owner.token, idempotencyKey };
  const first = await insist(web, 'tokenTransfer', order, asOwner);
  const repeated = await insist(web, 'tokenTransfer', order, asOwner);
  const changed = await ask(web, 'tokenTransfer', { ...order, amount: '0.012' }, asOwner);
  const stolen = await ask(web, 'tokenTransfer', order, { token: thief.token, idempotencyKey });
  return {
    isRepeatedAlike: JSON.stringify(first) === JSON.stringify(repeated),
    changed: changed.data['error'],
    isStolen: stolen.data['id'] === first['id'],
  };
}

/** Tries wrong codes in a row; answers what each came to. */
export async function guessCodes(web: string, email: string, tries: number): Promise<unknown[]> {
  await ask(web, 'sendEmailCode', { email, purpose: 'reset' });
  const password = 'a guessed password 3';
  const outcomes: unknown[] = [];
  for (let code = 0; code < tries; code += 1) {
    const verificationCode = String(code).padStart(6, '0');
    const request = { email, verificationCode, password, confirmPassword: password };
    outcomes.push((await ask(web, 'resetPassword', request)).data['error'] ?? 'OK');
  }
  return outcomes;
}

export async function guessPasswords(web: string, email: string, tries: number): Promise<unknown[]> {
  const outcomes: unknown[] = [];
  for (let index = 0; index < tries; index += 1) {
    const answer = await ask(web, 'login', { email, password: `guess number ${index}` });
    outcomes.push(answer.data['error'] ?? 'OK');
  }
  return outcomes;
}
