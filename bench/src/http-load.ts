import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Requests per second over keep-alive connections, for a fixed time after a warm-up. Every answer must be 200,
 * in its envelope too. Several
 * addresses are asked for in turn.
 * The client is a process of its own: in the server's process its cost would flatten every ratio towards one.
 */
export async function requestsPerSecond(
  url: string | readonly string[],
  options: { headers?: Record<string, string>; connections?: number; milliseconds?: number } = {},
): Promise<number> {
  const { headers = {}, connections = 16, milliseconds = 2_000 } = options;
  const { stdout } = await run(process.execPath, [
    join(import.meta.dirname, 'http-load-client.ts'),
    JSON.stringify({ urls: [url].flat(), headers, connections, milliseconds }),
  ]);
  return (JSON.parse(stdout) as { perSecond: number }).perSecond;
}
