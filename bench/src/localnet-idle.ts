/**
 * The localnet with its default market and nobody asking: what it takes of one core and whether its memory stays where
 * it is. Prints a line for every minute. Reads /proc, so it runs on Linux only.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Figures } from '../../scripts/run-named.ts';

const CPU_PERCENT_MAX = 15;
/** Above the first minute, in which caches fill and the start is swept up. */
const GROWTH_PERCENT_MAX = 10;
const TICKS_PER_SECOND = 100;

export async function measureIdle(minutes: number, port: number): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'hunter-bench-idle-'));
  const startedAt = performance.now();
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../apps/localnet/src/main.ts')], {
    env: { ...process.env, DATA_DIR: folder, LOCALNET_PORT: String(port) },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    await once(child.stdout, 'data');
    const readyMs = Math.round(performance.now() - startedAt);
    const pid = child.pid!;
    const rssMb = [residentMb(pid)];
    const cpuPercent: number[] = [];
    for (let minute = 1; minute <= minutes; minute += 1) {
      const before = cpuSeconds(pid);
      await delay(60_000);
      cpuPercent.push(Number(((cpuSeconds(pid) - before) / 0.6).toFixed(1)));
      rssMb.push(residentMb(pid));
      process.stdout.write(`minute ${minute}: ${cpuPercent.at(-1)} % of a core, ${rssMb.at(-1)} MB\n`);
    }
    const mean = cpuPercent.reduce((sum, percent) => sum + percent, 0) / Math.max(1, cpuPercent.length);
    const growthPercent = (rssMb.at(-1)! / (rssMb[1] ?? rssMb[0]!) - 1) * 100;
    return {
      minutes,
      firstReadyMs: readyMs,
      cpuPercent: Number(mean.toFixed(1)),
      cpuPercentMax: CPU_PERCENT_MAX,
      rssMb,
      growthPercent: Number(growthPercent.toFixed(1)),
      growthPercentMax: GROWTH_PERCENT_MAX,
      ok: mean <= CPU_PERCENT_MAX && growthPercent <= GROWTH_PERCENT_MAX,
    };
  } finally {
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
    rmSync(folder, { recursive: true, force: true });
  }
}

function residentMb(pid: number): number {
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kilobytes) / 1024);
}

/** User and system time of all threads. */
function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in parentheses may hold anything, so fields are counted from its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}
