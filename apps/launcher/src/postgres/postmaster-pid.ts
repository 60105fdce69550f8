import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { isAlive } from '../process-alive.ts';
import { StartError } from '../start-error.ts';
import { waitUntil } from '../wait-until.ts';

export type PostmasterPid = { readonly pid: number; readonly port: number | undefined; readonly status: string };

/** The server's lock file: line 1 its process id, line 4 the port, line 8 its state (`starting`, `ready`, `stopping`). */
export function parsePostmasterPid(text: string): PostmasterPid | undefined {
  const lines = text.split('\n').map((line) => line.trim());
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  const port = Number(lines[3]);
  return { pid, port: Number.isInteger(port) && port > 0 ? port : undefined, status: lines[7] ?? '' };
}

export function readPostmasterPid(directory: string): PostmasterPid | undefined {
  try {
    return parsePostmasterPid(readFileSync(join(directory, 'postmaster.pid'), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Process ids are reused, so the id alone proves nothing: a PostgreSQL server works inside its data directory. */
function servesDirectory(pid: number, directory: string): boolean {
  if (process.platform === 'linux') {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(directory);
    } catch {
      return false;
    }
  }
  const listed = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  return listed.stdout.includes(directory);
}

const FAST_STOP_MS = 20_000;
const IMMEDIATE_STOP_MS = 10_000;
const KILL_MS = 5_000;

/** Where the system tells who works in a folder. Whoever looks around in it with a shell is left alone. */
function processesOf(directory: string): number[] {
  if (process.platform !== 'linux') return [];
  const isServer = (pid: number): boolean => {
    try {
      return readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'postgres' && servesDirectory(pid, directory);
    } catch {
      return false;
    }
  };
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && isServer(pid));
}

/**
 * The sessions of a killed server find out at the end of their statement, however long that takes, and no other server starts while
 * one of them holds its memory. A crash is what it is for the database either way.
 */
async function killSessions(directory: string): Promise<void> {
  const left = processesOf(directory);
  for (const pid of left) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself meanwhile.
    }
  }
  await waitUntil(() => (left.some(isAlive) ? undefined : true), { timeoutMs: KILL_MS });
}

/**
 * When our process was killed, its server lives on. The caller holds the lock on the data folder, so whoever still
 * serves it is such an orphan: it is stopped cleanly, and its successor is a child we can supervise again. Of a server that was
 * killed itself, what is left is killed too.
 */
export async function clearOrphan(directory: string): Promise<'none' | 'stopped' | 'stale'> {
  const found = readPostmasterPid(directory);
  if (!found) return 'none';
  const { pid } = found;
  if (!isAlive(pid) || !servesDirectory(pid, directory)) {
    await killSessions(directory);
    // The server would refuse to start if the id now belongs to some other process.
    rmSync(join(directory, 'postmaster.pid'), { force: true });
    return 'stale';
  }
  const gone = (): true | undefined => (isAlive(pid) && existsSync(directory) ? undefined : true);
  process.kill(pid, 'SIGINT');
  if (await waitUntil(gone, { timeoutMs: FAST_STOP_MS })) return 'stopped';
  process.kill(pid, 'SIGQUIT');
  if (await waitUntil(gone, { timeoutMs: IMMEDIATE_STOP_MS })) return 'stopped';
  throw new StartError(`a PostgreSQL server left from an earlier run (process ${pid}) does not stop`);
}
