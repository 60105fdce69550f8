// The segments of the write-ahead log on disk, and what may be wrong with them.

import { closeSync, fsyncSync, ftruncateSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findFrame, type Frame, readFrame } from './log-frame.ts';

const NAME = /^(\d{10})\.log$/;

export class LedgerDamagedError extends Error {
  constructor(file: string, offset: number) {
    super(
      `The ledger's log is damaged: ${file} cannot be read at byte ${offset}, but later entries can. ` +
        'Acknowledged transactions are lost there, so the ledger does not start. Restore the folder from a copy, or start over with an empty one.',
    );
    this.name = 'LedgerDamagedError';
  }
}

export function segmentPath(directory: string, segment: number): string {
  return join(directory, `${String(segment).padStart(10, '0')}.log`);
}

export function listSegments(directory: string): number[] {
  return readdirSync(directory)
    .map((name) => NAME.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number)
    .sort((a, b) => a - b);
}

export function syncDirectory(directory: string): void {
  const handle = openSync(directory, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

export function removeSegment(directory: string, segment: number): void {
  rmSync(segmentPath(directory, segment), { force: true });
}

function cutTail(file: string, length: number): void {
  const handle = openSync(file, 'r+');
  try {
    ftruncateSync(handle, length);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

type LoggedFrame = { segment: number; frame: Frame };

/**
 * Every frame in order. A torn tail is cut off the last segment; damage anywhere else throws. The last frame number
 * tells whether whole segments are missing between two others.
 */
export function* readLog(directory: string): Generator<LoggedFrame> {
  const segments = listSegments(directory);
  let expected: number | null = null;
  for (const [position, segment] of segments.entries()) {
    const file = segmentPath(directory, segment);
    const log = readFileSync(file);
    const isLast = position === segments.length - 1;
    let at = 0;
    while (at < log.length) {
      const frame = readFrame(log, at);
      if (frame === null) {
        if (!isLast || findFrame(log, at + 1) >= 0) throw new LedgerDamagedError(file, at);
        cutTail(file, at);
        return;
      }
      if (expected !== null && frame.number !== expected) throw new LedgerDamagedError(file, at);
      expected = frame.number + 1;
      yield { segment, frame };
      at = frame.end;
    }
  }
}
