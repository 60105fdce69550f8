/**
 * The order engine on a chain that loses, delays, repeats and lies, in a process that dies, on a clock that jumps. Takes the
 * number of seeds, 1,000 unless told, and the first seed; a failure names its seed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from '../../scripts/bootstrap.mjs';
import type { Figures } from '../../scripts/run-named.ts';

export default async function proveOrderSimulation([seeds = '1000', first = '1']: readonly string[]): Promise<Figures> {
  const startedMs = performance.now();
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const test = 'apps/server/src/trading/order-simulation.db.test.ts';
  const child = spawn(process.execPath, [vitest, 'run', '--project', 'db', test], {
    cwd: root,
    env: { ...process.env, SIMULATION_SEEDS: seeds, SIMULATION_FIRST_SEED: first },
    stdio: ['ignore', 2, 2],
  });
  const [code] = (await once(child, 'close')) as [number | null];
  const seconds = Math.round((performance.now() - startedMs) / 1000);
  return { seeds: Number(seeds), firstSeed: Number(first), seconds, ok: code === 0 };
}
