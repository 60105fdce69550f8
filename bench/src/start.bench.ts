/**
 * From the command to the ready line, against starting the embedded PostgreSQL alone. Both are measured as whole
 * commands on installed dependencies and an existing data folder; the bar is 3 times. The first start, on an empty
 * folder, has 30 s, also with the past of the simulated people, as `npm start` makes it.
 */
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../../apps/launcher/src/postgres/server.ts';
import { pinnedEnvironment, root } from '../../scripts/bootstrap.mjs';
import { startProduct } from '../../scripts/product-process.ts';
import type { Figures } from '../../scripts/run-named.ts';

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** The same command line as the product's, but with the database server as its only part. */
async function postgresCommandMs(dataDirectory: string): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['scripts/run.mjs', 'bench/src/postgres-alone.ts', dataDirectory], {
    cwd: root,
    env: pinnedEnvironment(),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ready = new Promise<number>((resolve, reject) => {
    child.stdout.once('data', () => resolve(performance.now() - startedAt));
    child.once('exit', () => reject(new Error('PostgreSQL alone did not start')));
  });
  const elapsedMs = await ready;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.stdin.end();
  await ended;
  return elapsedMs;
}

export default async function measureStart([runs = '5']: readonly string[]): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'hunter-bench-start-'));
  chmodSync(folder, 0o755);
  const data = join(folder, 'data');
  const quiet = { LOCALNET_PORT: '', MARKET_SEED: '7' };
  try {
    const first = await startProduct(data, quiet);
    await first.stop();
    const whole = await startProduct(join(folder, 'whole'), { ...quiet, SIMULATED_PAST: 'on' });
    await whole.stop();
    const productMs: number[] = [];
    const commandMs: number[] = [];
    const serverMs: number[] = [];
    for (let run = 0; run < Number(runs); run += 1) {
      commandMs.push(await postgresCommandMs(data));
      const startedAt = performance.now();
      const server = await startPostgres({
        folder: join(data, 'postgres'),
        logFile: join(data, 'logs', 'postgres.log'),
      });
      serverMs.push(performance.now() - startedAt);
      await server.stop();
      const product = await startProduct(data, quiet);
      productMs.push(product.readyMs);
      await product.stop();
    }
    const ratio = median(productMs) / median(commandMs);
    return {
      ok: ratio <= 3 && first.readyMs <= 30_000 && whole.readyMs <= 30_000,
      firstStartMs: Math.round(whole.readyMs),
      firstStartWithoutPastMs: Math.round(first.readyMs),
      productMs: Math.round(median(productMs)),
      postgresCommandMs: Math.round(median(commandMs)),
      postgresServerMs: Math.round(median(serverMs)),
      ratio: Number(ratio.toFixed(2)),
      bar: 3,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
