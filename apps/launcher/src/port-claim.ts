import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from './process-alive.ts';

/**
 * A port that is free now is taken by the embedded node only seconds later. Two instances that start in that time would
 * choose the same one, so the first leaves a note for the others until it ends.
 */
export function claimPort(port: number, folder: string = tmpdir()): (() => void) | null {
  const file = join(folder, `hunter-port-${port}`);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx', mode: 0o644 });
      return () => rmSync(file, { force: true });
    } catch {
      if (attempt > 0 || !removeStale(file)) return null;
    }
  }
  return null;
}

/** False where the note's owner lives, or where the note is another user's and cannot be removed. */
function removeStale(file: string): boolean {
  try {
    const owner = Number(readFileSync(file, 'utf8'));
    if (Number.isSafeInteger(owner) && owner > 0 && owner !== process.pid && isAlive(owner)) return false;
    rmSync(file, { force: true });
    return true;
  } catch {
    return false;
  }
}
