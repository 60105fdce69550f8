import http from 'node:http';

/** Requests per second over keep-alive connections, for a fixed time after a warm-up. Every answer must be 200. */
export async function requestsPerSecond(
  url: string,
  options: { headers?: Record<string, string>; connections?: number; milliseconds?: number } = {},
): Promise<number> {
  const { headers = {}, connections = 16, milliseconds = 2_000 } = options;
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  let answered = 0;
  let counting = false;
  const stop = new AbortController();
  const one = () =>
    new Promise<void>((resolve, reject) => {
      http
        .get(url, { agent, headers }, (reply) => {
          if (reply.statusCode !== 200) return reject(new Error(`${url} answered ${reply.statusCode}`));
          reply.resume();
          reply.on('end', () => {
            if (counting) answered += 1;
            resolve();
          });
          return undefined;
        })
        .on('error', reject);
    });
  const worker = async () => {
    while (!stop.signal.aborted) await one();
  };
  const workers = Array.from({ length: connections }, worker);
  await new Promise((resolve) => setTimeout(resolve, milliseconds / 4));
  counting = true;
  const startedAt = performance.now();
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  const elapsedMs = performance.now() - startedAt;
  counting = false;
  stop.abort();
  await Promise.all(workers);
  agent.destroy();
  return Math.round((answered / elapsedMs) * 1000);
}
