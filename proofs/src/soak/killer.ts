import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPostmasterPid } from '../../../apps/launcher/src/postgres/postmaster-pid.ts';
import { until } from '../../../scripts/product-client.ts';
import type { SeededRandom } from '@hunter/domain/seeded-random';

export const parts = ['localnet', 'signer', 'server', 'postgres'] as const;
export type Part = (typeof parts)[number];
/** `waitedFor` counts, per part, how often it was the reason why the product was not ready. */
export type Kill = { at: string; part: Part; readyMs: number; waitedFor: Record<string, number> };

export function processOf(dataDirectory: string, part: Part): number | null {
  if (part === 'postgres') return readPostmasterPid(join(dataDirectory, 'postgres', 'cluster'))?.pid ?? null;
  const children = JSON.parse(readFileSync(join(dataDirectory, 'children.json'), 'utf8')) as {
    name: string;
    pid: number;
  }[];
  return children.find((child) => child.name === part)?.pid ?? null;
}

/** Kills one part without warning and answers how long the whole product took to be ready again. */
export async function killOne(dataDirectory: string, web: string, random: SeededRandom): Promise<Kill> {
  const part = random.pick(parts);
  const pid = processOf(dataDirectory, part);
  const at = new Date().toISOString();
  const waitedFor: Record<string, number> = {};
  if (pid === null) return { at, part, readyMs: 0, waitedFor };
  const startedMs = performance.now();
  process.kill(pid, 'SIGKILL');
  await until(async () => processOf(dataDirectory, part) !== pid, `${part} to be started again`, 60_000);
  const settled = async (): Promise<boolean> => {
    const missing = await notReady(web);
    for (const name of missing) waitedFor[name] = (waitedFor[name] ?? 0) + 1;
    return missing.length === 0;
  };
  await until(settled, `the product to be ready after ${part} was killed`, 120_000);
  return { at, part, readyMs: Math.round(performance.now() - startedMs), waitedFor };
}

export async function isReady(web: string): Promise<boolean> {
  return (await notReady(web)).length === 0;
}

/** The parts the product says it waits for, each with its reason. */
export async function notReady(web: string): Promise<string[]> {
  try {
    const response = await fetch(`${web}/api/ready`, { signal: AbortSignal.timeout(2_000) });
    const { data } = (await response.json()) as { data: Record<string, { ok: boolean; detail?: string }> };
    return Object.entries(data).flatMap(([name, { ok, detail }]) => (ok ? [] : [`${name}: ${detail}`]));
  } catch (error) {
    return [`server: ${(error as Error).name}`];
  }
}
