import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isAlive } from './process-alive.ts';
import { waitUntil } from './wait-until.ts';

type Entry = { readonly name: string; readonly pid: number; readonly startMark: string };

/** Tells a process from a later one that was given the same id. */
export function startMark(pid: number): string | undefined {
  if (process.platform === 'linux') {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The name in brackets may itself hold spaces; the start time is the 20th field after it.
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
    } catch {
      return undefined;
    }
  }
  const listed = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
  return listed === '' ? undefined : listed;
}

/**
 * The processes we started, on disk. When this process is killed they end by themselves, but that takes a moment, and
 * until then they hold ports and files that the next start wants.
 */
export class ChildRecord {
  readonly #file: string;
  readonly #entries = new Map<number, Entry>();

  constructor(file: string) {
    this.#file = file;
  }

  add(name: string, pid: number): void {
    const mark = startMark(pid);
    if (mark === undefined) return;
    this.#entries.set(pid, { name, pid, startMark: mark });
    this.#save();
  }

  remove(pid: number): void {
    if (this.#entries.delete(pid)) this.#save();
  }

  /** A disk that takes nothing leaves the older record, which only costs the next start some waiting; a child must be watched all the same. */
  #save(): void {
    try {
      writeFileSync(`${this.#file}.new`, JSON.stringify([...this.#entries.values()]));
      renameSync(`${this.#file}.new`, this.#file);
    } catch {
      return;
    }
  }
}

const PATIENCE_MS = 5_000;

/** Waits for the children of an earlier run that did not stop in order, and ends those that stay. */
export async function clearLeftovers(file: string): Promise<void> {
  if (!existsSync(file)) return;
  let entries: Entry[];
  try {
    entries = JSON.parse(readFileSync(file, 'utf8')) as Entry[];
  } catch {
    return;
  }
  for (const { pid, startMark: mark } of entries) {
    const gone = (): true | undefined => (isAlive(pid) && startMark(pid) === mark ? undefined : true);
    if (await waitUntil(gone, { timeoutMs: PATIENCE_MS })) continue;
    process.kill(pid, 'SIGKILL');
    await waitUntil(gone, { timeoutMs: PATIENCE_MS });
  }
}
