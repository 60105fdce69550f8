// Requests that start at random moments at a steady rate, as strangers send them. As a thread it sends what each message
// says and answers with their number.

import http from 'node:http';
import { parentPort } from 'node:worker_threads';

export type Load = { url: string; body: object | null; perSecond: number; milliseconds: number };

/**
 * The milliseconds each took. Requests start whether or not earlier ones have been answered: a stalled server cannot
 * hide.
 */
export async function askAtRate({ url, body, perSecond, milliseconds }: Load): Promise<number[]> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 32 });
  const times: number[] = [];
  const asked: Promise<void>[] = [];
  const endMs = performance.now() + milliseconds;
  let dueMs = performance.now();
  while (dueMs < endMs) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - performance.now())));
    const start = performance.now();
    asked.push(ask(agent, url, body).then(() => void times.push(performance.now() - start)));
    dueMs += (-Math.log(1 - Math.random()) * 1000) / perSecond;
  }
  await Promise.all(asked);
  agent.destroy();
  return times;
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

parentPort?.on('message', (load: Load) => {
  void askAtRate(load).then((times) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin, unlike a window
    parentPort?.postMessage(times.length);
  });
});
