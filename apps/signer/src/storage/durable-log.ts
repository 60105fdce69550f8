import { closeSync, constants, existsSync, ftruncateSync, openSync, readFileSync, write } from 'node:fs';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { putInPlace, replaceFile, WRITE_THROUGH, writeDraft } from './durable-file.ts';

const writeAsync = promisify(write);
const APPEND = WRITE_THROUGH | constants.O_APPEND;

/**
 * Append-only lines of `crc32 json`. `append` resolves once the line survives a power cut; lines that wait together
 * share one write. A torn last line is the trace of a crash before an answer and is cut off; damage anywhere else
 * stops the start, because what it hid may have been a limit.
 */
export class DurableLog {
  readonly #path: string;
  #file: number;
  #waiting: { line: string; resolve: () => void; reject: (error: unknown) => void }[] = [];
  #writing: Promise<void> | null = null;
  #lines: number;
  #broken: unknown = null;
  #onWritten: (lines: string) => void = () => {};
  #onBroken: (error: unknown) => void = () => {};

  private constructor(path: string, file: number, lines: number) {
    this.#path = path;
    this.#file = file;
    this.#lines = lines;
  }

  static open(path: string, replay: (record: unknown) => void): DurableLog {
    let lines = 0;
    let intactBytes = 0;
    if (existsSync(path)) {
      const content = readFileSync(path);
      let start = 0;
      while (start < content.length) {
        const end = content.indexOf(10, start);
        const record = end < 0 ? undefined : readLine(content.toString('utf8', start, end));
        if (record === undefined) {
          const hasMore = end >= 0 && end + 1 < content.length;
          if (hasMore) throw new Error(`the log is damaged at byte ${start}`);
          break;
        }
        replay(record);
        lines += 1;
        start = end + 1;
        intactBytes = start;
      }
    } else replaceFile(path, '');
    const file = openSync(path, APPEND, 0o600);
    // Not on disk before the next line is: until then a second start would find and cut off the same.
    ftruncateSync(file, intactBytes);
    return new DurableLog(path, file, lines);
  }

  get lines(): number {
    return this.#lines;
  }

  append(record: object): Promise<void> {
    if (this.#broken !== null) return Promise.reject(new Error('the log cannot be written', { cause: this.#broken }));
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ line: printLine(record), resolve, reject });
    this.#writing ??= this.#drain();
    return promise;
  }

  /** Told of everything that has reached the disk, in its order. */
  onWritten(listener: (lines: string) => void): void {
    this.#onWritten = listener;
  }

  /** Told once nothing can be written any more, until a restart. */
  onBroken(listener: (error: unknown) => void): void {
    this.#onBroken = listener;
  }

  /** The whole log; `atThatMoment` runs between what is in it and what is written after it. */
  async read(atThatMoment: () => void): Promise<string> {
    while (this.#writing !== null) await this.#writing;
    atThatMoment();
    return readFileSync(this.#path, 'utf8');
  }

  /** Replaces the whole log by the records that still matter. Lines still waiting are written after it. */
  async compact(records: () => Iterable<object>): Promise<void> {
    while (this.#writing !== null) await this.#writing;
    const lines = Array.from(records(), printLine);
    const draft = writeDraft(this.#path, lines.join(''));
    try {
      putInPlace(draft, this.#path);
      closeSync(this.#file);
      this.#file = openSync(this.#path, APPEND, 0o600);
    } catch (error) {
      // What is written to the old file from here on might be in none that a restart reads.
      this.#break(error);
      throw error;
    }
    this.#lines = lines.length;
  }

  async close(): Promise<void> {
    while (this.#writing !== null) await this.#writing;
    closeSync(this.#file);
  }

  async #drain(): Promise<void> {
    // A turn of the event loop lets requests that arrived together share one write.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const group = this.#waiting;
      this.#waiting = [];
      try {
        const text = group.map((entry) => entry.line).join('');
        const bytes = Buffer.from(text, 'utf8');
        let written = 0;
        while (written < bytes.length) {
          written += (await writeAsync(this.#file, bytes, written)).bytesWritten;
        }
        this.#lines += group.length;
        this.#onWritten(text);
        for (const entry of group) entry.resolve();
      } catch (error) {
        // After a failed write nobody knows what is on disk: refuse everything until a restart reads it again.
        for (const entry of group) entry.reject(error);
        this.#break(error);
      }
    }
    this.#writing = null;
  }

  #break(error: unknown): void {
    this.#broken = error;
    for (const entry of this.#waiting) entry.reject(error);
    this.#waiting = [];
    this.#onBroken(error);
  }
}

function printLine(record: object): string {
  const json = JSON.stringify(record);
  return `${crc32(json).toString(16).padStart(8, '0')} ${json}\n`;
}

/** Throws where one is damaged or torn. */
export function readLines(text: string): object[] {
  if (text !== '' && !text.endsWith('\n')) throw new Error('the last line is torn');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const record = readLine(line);
      if (typeof record !== 'object' || record === null) throw new Error('a line is damaged');
      return record;
    });
}

function readLine(line: string): unknown {
  const json = line.slice(9);
  if (line.slice(0, 8) !== crc32(json).toString(16).padStart(8, '0')) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
