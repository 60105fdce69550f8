import { closeSync, constants, fstatSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
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
    const owner = Number(readNote(file));
    if (Number.isSafeInteger(owner) && owner > 0 && owner !== process.pid && isAlive(owner)) return false;
    rmSync(file, { force: true });
    return true;
  } catch {
    return false;
  }
}

/** Everybody may write to that folder: a pipe or a link that a stranger left there is neither waited for nor followed. */
function readNote(file: string): string {
  const opened = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!fstatSync(opened).isFile()) throw new Error(`${file} is no file`);
    const note = Buffer.alloc(NOTE_BYTES_MAX);
    return note.toString('utf8', 0, readSync(opened, note));
  } finally {
    closeSync(opened);
  }
}

const NOTE_BYTES_MAX = 32;
