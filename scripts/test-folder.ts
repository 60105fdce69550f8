import { chmodSync, mkdtempSync, readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const GIB = 2 ** 30;
/** Several times what a run writes. */
const ROOM_MIN = 4 * GIB;
/** Enough for that, a browser and everything the tests start. */
const MEMORY_MIN = 6 * GIB;

export type MemoryFolder = {
  /** The lines of /proc/mounts. */
  readonly mounts: string;
  readonly roomBytes: number;
  readonly memoryBytes: number;
};

/** Whether a run may write there: with room for it, where programs can be started and the machine has memory to spare. */
export function isRoomy({ mounts, roomBytes, memoryBytes }: MemoryFolder): boolean {
  const options = mounts
    .split('\n')
    .map((line) => line.split(' '))
    .findLast(([, folder, kind]) => folder === MEMORY && kind === 'tmpfs')?.[3]
    ?.split(',');
  if (!options?.includes('rw') || options.includes('noexec')) return false;
  return roomBytes >= ROOM_MIN && memoryBytes >= MEMORY_MIN;
}

function memoryFolder(): MemoryFolder | null {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    const mounts = readFileSync('/proc/mounts', 'utf8');
    return { mounts, roomBytes: bavail * bsize, memoryBytes: process.availableMemory() };
  } catch {
    return null;
  }
}

/**
 * Where a run of the tests keeps its databases and data folders, which it throws away. In memory where there is plenty: PostgreSQL
 * makes about a thousand files for a database, on which a disk spends several times as long.
 */
export function makeTestFolder(): string {
  const found = memoryFolder();
  const folder = mkdtempSync(join(found && isRoomy(found) ? MEMORY : tmpdir(), 'hunter-test-'));
  // Parts of the product run as users of their own.
  chmodSync(folder, 0o1777);
  return folder;
}
