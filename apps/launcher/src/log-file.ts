import { closeSync, existsSync, mkdirSync, openSync, renameSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

const SIZE_MAX_BYTES = 16 * 1024 * 1024;

/** Moves a log that has grown too large aside; one older generation is kept. */
export function rotateLog(path: string, maxBytes = SIZE_MAX_BYTES): void {
  if (existsSync(path) && statSync(path).size > maxBytes) renameSync(path, `${path}.1`);
}

/** An append-only log of bounded size. Writes are synchronous, so that the last words of a crash are on disk. */
export class LogFile {
  readonly path: string;
  readonly #maxBytes: number;
  #descriptor: number | undefined;
  #size: number;

  constructor(path: string, maxBytes = SIZE_MAX_BYTES) {
    mkdirSync(dirname(path), { recursive: true });
    rotateLog(path, maxBytes);
    this.path = path;
    this.#maxBytes = maxBytes;
    this.#descriptor = openSync(path, 'a', 0o600);
    this.#size = statSync(path).size;
  }

  /** A line that the disk does not take, full or broken, is dropped: the parts must be watched and stopped all the same. */
  write(line: string): void {
    if (this.#descriptor === undefined) return;
    try {
      this.#size += writeSync(this.#descriptor, `${line}\n`);
    } catch {
      return;
    }
    if (this.#size > this.#maxBytes) this.#rotate(this.#descriptor);
  }

  /** Where there can be no other file, the one that is open is written on. */
  #rotate(full: number): void {
    const next = `${this.path}.next`;
    let descriptor: number | undefined;
    try {
      descriptor = openSync(next, 'a', 0o600);
      // Not there where an earlier rotation went only half of the way.
      if (existsSync(this.path)) renameSync(this.path, `${this.path}.1`);
      renameSync(next, this.path);
    } catch {
      if (descriptor !== undefined) closeSync(descriptor);
      return;
    }
    this.#descriptor = descriptor;
    this.#size = 0;
    closeSync(full);
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }
}
