import { setTimeout as delay } from 'node:timers/promises';
import type { NatsServer } from '../../../scripts/nats.ts';
import { until } from '../../../scripts/product-client.ts';
import { processOf } from './product-parts.ts';

/** What can be killed or paused. `nats` is not one of the product's own processes; `apis` are the own doors of those that share `web`. */
export type Killable = {
  dataDirectory: string;
  web: string;
  nats: NatsServer | null;
  apis?: ReadonlyMap<string, string>;
};
/** `waitedFor` counts, per part, how often it was the reason why the product was not ready. */
export type Kill = { at: string; part: string; readyMs: number; waitedFor: Record<string, number> };

const NATS_AWAY_MS = 1_500;

/** Kills one part without warning and answers how long the whole product took to be ready again. */
export async function killOne({ dataDirectory, web, nats, apis = new Map() }: Killable, part: string): Promise<Kill> {
  const at = new Date().toISOString();
  const waitedFor: Record<string, number> = {};
  const startedMs = performance.now();
  if (part === 'nats') {
    await nats?.kill();
    await delay(NATS_AWAY_MS);
    await nats?.start();
  } else {
    const pid = processOf(dataDirectory, part);
    if (pid === null || !signal(pid, 'SIGKILL')) return { at, part, readyMs: 0, waitedFor };
    await until(async () => isAnother(processOf(dataDirectory, part), pid), `${part} to be started again`, 60_000);
  }
  const settled = async (): Promise<boolean> => {
    const missing = await notReady(web);
    for (const name of missing) waitedFor[name] = (waitedFor[name] ?? 0) + 1;
    if (missing.includes('server: TimeoutError')) askBehind(apis, waitedFor);
    return missing.length === 0;
  };
  await until(settled, `the product to be ready after ${part} was killed`, 120_000);
  return { at, part, readyMs: Math.round(performance.now() - startedMs), waitedFor };
}

/** What the processes behind the shared port say by themselves; nobody waits for it. */
function askBehind(apis: ReadonlyMap<string, string>, waitedFor: Record<string, number>): void {
  for (const [name, origin] of apis) {
    const startedMs = performance.now();
    const noting = (answer: string): void => {
      const late = Math.round((performance.now() - startedMs) / 1_000);
      waitedFor[`${name} by itself: ${answer} after ${late} s`] = 1;
    };
    fetch(`${origin}/ready`, { signal: AbortSignal.timeout(10_000) })
      .then((response) => response.text())
      .then(noting, (error: Error) => noting(error.name));
  }
}

export async function pauseOne({ dataDirectory }: Killable, part: string, ms: number): Promise<void> {
  const pid = processOf(dataDirectory, part);
  if (pid === null || !signal(pid, 'SIGSTOP')) return;
  await delay(ms);
  signal(pid, 'SIGCONT');
}

/** False where the process has ended by itself a moment ago. */
function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

function isAnother(now: number | null, before: number): boolean {
  return now !== null && now !== before;
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
