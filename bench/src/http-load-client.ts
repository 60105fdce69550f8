/** The client side of `http-load.ts`, in a process of its own: `http-load-client.ts {"urls", "headers", …}`. */
import http from 'node:http';

const { urls, headers, connections, milliseconds } = JSON.parse(process.argv[2] ?? '{}') as {
  urls: string[];
  headers: Record<string, string>;
  connections: number;
  milliseconds: number;
};
const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
let answered = 0;
let asked = 0;
let counting = false;
const stop = new AbortController();

function one(): Promise<void> {
  const url = urls[asked % urls.length]!;
  asked += 1;
  return new Promise<void>((resolve, reject) => {
    http
      .get(url, { agent, headers }, (reply) => {
        if (reply.statusCode !== 200) return reject(new Error(`${url} answered ${reply.statusCode}`));
        reply.once('data', (chunk: Buffer) => {
          const opening = chunk.toString('latin1', 0, 12);
          if (/^\{"code":(?!200,)/.test(opening)) reject(new Error(`${url} answered ${chunk.toString('utf8')}`));
        });
        reply.resume();
        reply.on('end', () => {
          if (counting) answered += 1;
          resolve();
        });
        return undefined;
      })
      .on('error', reject);
  });
}

async function work(): Promise<void> {
  while (!stop.signal.aborted) await one();
}

const workers = Promise.all(Array.from({ length: connections }, work));
const wait = (ms: number) => Promise.race([new Promise<void>((resolve) => setTimeout(resolve, ms)), workers]);
await wait(milliseconds / 4);
counting = true;
const startedAt = performance.now();
await wait(milliseconds);
const elapsedMs = performance.now() - startedAt;
counting = false;
stop.abort();
await workers;
process.stdout.write(JSON.stringify({ perSecond: Math.round((answered / elapsedMs) * 1000) }));
process.exit(0);
