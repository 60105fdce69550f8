import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPostmasterPid } from '../../apps/launcher/src/postgres/postmaster-pid.ts';
import { until } from '../product-client.ts';
import type { Random } from '../random.ts';

export const parts = ['localnet', 'signer', 'server', 'postgres'] as const;
export type Part = (typeof parts)[number];
export type Kill = { at: string; part: Part; readyMs: number };

export function processOf(dataDirectory: string, part: Part): number | null {
  if (part === 'postgres') return readPostmasterPid(join(dataDirectory, 'postgres', 'cluster'))?.pid ?? null;
  const children = JSON.parse(readFileSync(join(dataDirectory, 'children.json'), 'utf8')) as {
    name: string;
    pid: number;
  }[];
  return children.find((child) => child.name === part)?.pid ?? null;
}

/** Kills one part without warning and answers how long the whole product took to be ready again. */
export async function killOne(dataDirectory: string, web: string, random: Random): Promise<Kill> {
  const part = random.pick(parts);
  const pid = processOf(dataDirectory, part);
  const at = new Date().toISOString();
  if (pid === null) return { at, part, readyMs: 0 };
  const startedMs = performance.now();
  process.kill(pid, 'SIGKILL');
  await until(async () => processOf(dataDirectory, part) !== pid, `${part} to be started again`, 60_000);
  await until(() => isReady(web), `the product to be ready after ${part} was killed`, 120_000);
  return { at, part, readyMs: Math.round(performance.now() - startedMs) };
}

export async function isReady(web: string): Promise<boolean> {
  try {
    return (await fetch(`${web}/api/ready`, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}
