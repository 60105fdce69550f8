/**
 * The localnet with its default market and the indexer that stores its trades, nobody else asking: what both take of one core, and
 * whether the localnet's memory stays where it is. Prints a line for every minute. Reads /proc, so it runs on Linux only.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Figures } from '../../scripts/run-named.ts';
import { withDatabase } from '../../scripts/temporary-database.ts';

const CPU_PERCENT_MAX = 15;
/** Above the first minute, in which caches fill and the start is swept up. */
const GROWTH_PERCENT_MAX = 10;
const TICKS_PER_SECOND = 100;

/** The indexer reads the whole past first; that is a start, and no part of the pace. */
const PAST_READ_MS = 90_000;

export function measureIdle(minutes: number, port: number): Promise<Figures> {
  return withDatabase((_database, databaseUrl) => measure(minutes, port, databaseUrl));
}

async function measure(minutes: number, port: number, databaseUrl: string): Promise<Figures> {
  const folder = mkdtempSync(join(tmpdir(), 'hunter-bench-idle-'));
  const startedAt = performance.now();
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../apps/localnet/src/main.ts')], {
    env: { ...process.env, DATA_DIR: folder, LOCALNET_PORT: String(port) },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const readyMs = Math.round(performance.now() - startedAt);
    const pid = child.pid!;
    const { rpc, rpcWs, venue } = JSON.parse(line.toString().split('\n')[0]!) as Record<string, string>;
    const indexer = spawn(process.execPath, [join(import.meta.dirname, '../../proofs/src/kill/indexer-process.ts')], {
      env: { ...process.env, DATABASE_URL: databaseUrl, SOLANA_RPC_URL: rpc, SOLANA_WS_URL: rpcWs, VENUE_URL: venue },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await once(indexer.stdout, 'data');
    await delay(PAST_READ_MS);
    const both = (): number[] => [cpuSeconds(pid), cpuSeconds(indexer.pid!)];
    const rssMb = [residentMb(pid)];
    const cpuPercent: number[] = [];
    const indexerPercent: number[] = [];
    for (let minute = 1; minute <= minutes; minute += 1) {
      const before = both();
      await delay(60_000);
      const [chain, stored] = both().map((seconds, place) => (seconds - before[place]!) / 0.6);
      cpuPercent.push(Number((chain! + stored!).toFixed(1)));
      indexerPercent.push(Number(stored!.toFixed(1)));
      rssMb.push(residentMb(pid));
      process.stdout.write(
        `minute ${minute}: ${cpuPercent.at(-1)} % of a core, ${indexerPercent.at(-1)} of it the indexer; ${rssMb.at(-1)} MB\n`,
      );
    }
    indexer.stdin.end();
    await once(indexer, 'exit');
    const mean = cpuPercent.reduce((sum, percent) => sum + percent, 0) / Math.max(1, cpuPercent.length);
    const growthPercent = (rssMb.at(-1)! / (rssMb[1] ?? rssMb[0]!) - 1) * 100;
    return {
      minutes,
      firstReadyMs: readyMs,
      cpuPercent: Number(mean.toFixed(1)),
      cpuPercentMax: CPU_PERCENT_MAX,
      indexerPercent: Number(
        (indexerPercent.reduce((sum, percent) => sum + percent, 0) / Math.max(1, minutes)).toFixed(1),
      ),
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
