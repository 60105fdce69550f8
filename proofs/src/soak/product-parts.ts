import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPostmasterPid } from '../../../apps/launcher/src/postgres/postmaster-pid.ts';
import type { ProductProcess } from '../../../scripts/product-process.ts';

// The processes of a running product, looked at from outside.

/** Null while it is being started again. */
export function processOf(dataDirectory: string, part: string): number | null {
  if (part === 'postgres') return readPostmasterPid(join(dataDirectory, 'postgres', 'cluster'))?.pid ?? null;
  const children = JSON.parse(readFileSync(join(dataDirectory, 'children.json'), 'utf8')) as {
    name: string;
    pid: number;
  }[];
  return children.find((child) => child.name === part)?.pid ?? null;
}

export function collectReports({ process: child }: ProductProcess): () => string[] {
  let text = '';
  const collect = (chunk: Buffer): void => void (text = `${text}${chunk.toString('utf8')}`.slice(-1_000_000));
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  return () => text.split('\n');
}

/** Of the whole product or, with roles, of one of its processes. */
export async function metric(origin: string, name: string): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text();
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
}

export function handlesOf(dataDirectory: string, parts: readonly string[]): Record<string, number> {
  return perPart(dataDirectory, parts, (pid) => readdirSync(`/proc/${pid}/fd`).length);
}

export function memoryMbOf(dataDirectory: string, parts: readonly string[]): Record<string, number> {
  return perPart(dataDirectory, parts, (pid) => {
    // A process that was just killed has a status without it.
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes === undefined ? null : Math.round(Number(kilobytes) / 1024);
  });
}

/** Only Linux tells; elsewhere nothing is measured. */
function perPart(
  dataDirectory: string,
  parts: readonly string[],
  measure: (pid: number) => number | null,
): Record<string, number> {
  const measured: Record<string, number> = {};
  for (const part of parts) {
    try {
      const pid = processOf(dataDirectory, part);
      const amount = pid === null ? null : measure(pid);
      if (amount !== null) measured[part] = amount;
    } catch {
      // Not Linux, or the part ended just now.
    }
  }
  return measured;
}
