// Appends to the write-ahead log with group commit: whatever arrives while one frame is being synced goes out
// together in the next one.

import { close as closeFile, closeSync, fdatasync, openSync, writeSync } from 'node:fs';
import { promisify } from 'node:util';
import { encodeFrame } from './log-frame.ts';
import { segmentPath, syncDirectory } from './log-files.ts';

const syncData = promisify(fdatasync);
const closeLater = promisify(closeFile);
const SEGMENT_BYTES_MAX = 32 * 1024 * 1024;
/** A frame is read back in one piece, so a flood is split. */
const FRAME_BYTES_MAX = 8 * 1024 * 1024;

type LogPosition = { segment: number; frame: number };

export class LogWriter {
  readonly #directory: string;
  #segment: number;
  #handle: number;
  #segmentBytes = 0;
  #nextFrame: number;
  #waiting: Buffer[] = [];
  #round: Promise<void> | null = null;
  #failure: Error | null = null;
  onDurable: (position: LogPosition, payload: Buffer) => void = () => undefined;
  /** Called once: nothing is written after it. */
  onFailure: (error: Error) => void = () => undefined;

  constructor(directory: string, segment: number, nextFrame: number) {
    this.#directory = directory;
    this.#segment = segment;
    this.#nextFrame = nextFrame;
    this.#handle = this.#open();
  }

  get segment(): number {
    return this.#segment;
  }

  #open(): number {
    const handle = openSync(segmentPath(this.#directory, this.#segment), 'ax');
    syncDirectory(this.#directory);
    return handle;
  }

  /** Resolves once the record is on disk. */
  append(record: Buffer): Promise<void> {
    if (this.#failure !== null) return Promise.reject(this.#failure);
    this.#waiting.push(record);
    // All that is appended in this turn of the event loop shares the next round, and so its promise.
    this.#round ??= this.#next;
    return this.#round;
  }

  #flushing = Promise.resolve();

  get #next(): Promise<void> {
    const round = this.#flushing.then(() => this.#flush());
    this.#flushing = round.catch(() => undefined);
    return round;
  }

  async #flush(): Promise<void> {
    this.#round = null;
    const records = this.#waiting;
    this.#waiting = [];
    // What arrived while the frame before was being synced waits here: behind a frame that failed it could not be read again.
    if (this.#failure !== null) throw this.#failure;
    try {
      let from = 0;
      while (from < records.length) {
        let to = from;
        let bytes = 0;
        while (to < records.length && (to === from || bytes + records[to]!.length <= FRAME_BYTES_MAX)) {
          bytes += records[to]!.length;
          to += 1;
        }
        await this.#writeFrame(Buffer.concat(records.slice(from, to), bytes));
        from = to;
      }
    } catch (error) {
      // After a failed write or sync nobody knows what the disk holds: no further transaction may be acknowledged.
      this.#failure = new Error('the ledger cannot be written to disk', { cause: error });
      this.onFailure(this.#failure);
      throw this.#failure;
    }
  }

  async #writeFrame(payload: Buffer): Promise<void> {
    if (this.#segmentBytes >= SEGMENT_BYTES_MAX) {
      const finished = this.#handle;
      this.#segment += 1;
      this.#handle = this.#open();
      this.#segmentBytes = 0;
      await closeLater(finished);
    }
    const frame = encodeFrame(this.#nextFrame, payload);
    for (let written = 0; written < frame.length;) written += writeSync(this.#handle, frame, written);
    await syncData(this.#handle);
    const position = { segment: this.#segment, frame: this.#nextFrame };
    this.#segmentBytes += frame.length;
    this.#nextFrame += 1;
    this.onDurable(position, payload);
  }

  get failure(): Error | null {
    return this.#failure;
  }

  async close(): Promise<void> {
    await this.#flushing;
    closeSync(this.#handle);
  }
}
