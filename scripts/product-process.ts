import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../apps/launcher/src/free-port.ts';
import type { Endpoints } from '../apps/launcher/src/endpoints.ts';
import { root } from './bootstrap.mjs';

export type ProductProcess = {
  readonly process: ChildProcess;
  readonly endpoints: Endpoints;
  readonly dataDirectory: string;
  /** From the command to the ready line. */
  readonly readyMs: number;
  stop(): Promise<number>;
};

const READY_TIMEOUT_MS = 180_000;

/** Starts the product as `npm start` does, on a free port, for tests and measurements. */
export async function startProduct(
  dataDirectory: string,
  environment: Readonly<Record<string, string>> = {},
  args: readonly string[] = [],
): Promise<ProductProcess> {
  const port = await freePort();
  const startedAt = performance.now();
  const child = spawn(process.execPath, [join(root, 'scripts', 'start.mjs'), ...args], {
    cwd: root,
    // The week behind the simulated people takes longer than most tests; whoever wants it says so.
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDirectory, SIMULATED_PAST: 'off', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<number>((resolve) => {
    child.once('close', (code) => resolve(code ?? -1));
  });
  const stop = (): Promise<number> => {
    child.kill('SIGTERM');
    return exited;
  };
  let output = '';
  let timer: NodeJS.Timeout | undefined;
  const ready = new Promise<'ready'>((resolve) => {
    const collect = (chunk: Buffer): void => {
      output = `${output}${chunk.toString()}`.slice(-20_000);
      if (output.includes('Hunter is ready: ')) resolve('ready');
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
  });
  const timeout = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), READY_TIMEOUT_MS);
  });
  const outcome = await Promise.race([ready, exited, timeout]);
  clearTimeout(timer);
  const readyMs = performance.now() - startedAt;
  if (outcome !== 'ready') {
    if (outcome === 'late') await stop();
    throw new Error(
      `the product did not start (${outcome === 'late' ? 'too slow' : `exit code ${outcome}`}):\n${output}`,
    );
  }
  const endpoints = JSON.parse(readFileSync(join(dataDirectory, 'endpoints.json'), 'utf8')) as Endpoints;
  return { process: child, endpoints, dataDirectory, readyMs, stop };
}
