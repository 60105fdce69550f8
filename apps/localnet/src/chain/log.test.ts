import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FRAME_HEAD_BYTES } from './log-frame.ts';
import { LedgerDamagedError, listSegments, readLog, segmentPath } from './log-files.ts';
import { LogWriter } from './log-writer.ts';
import { openStorage } from './storage.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'hunter-log-'));
});

afterEach(() => rmSync(directory, { recursive: true, force: true }));

async function writeFrames(count: number, segment = 1, first = 1): Promise<string> {
  const writer = new LogWriter(directory, segment, first);
  for (let i = 0; i < count; i += 1) await writer.append(Buffer.from(`record ${first + i}`));
  await writer.close();
  return segmentPath(directory, segment);
}

function payloads(): string[] {
  return [...readLog(directory)].map(({ frame }) => frame.payload.toString());
}

function flip(file: string, at: number): void {
  const bytes = readFileSync(file);
  bytes[at] = bytes[at]! ^ 0xff;
  writeFileSync(file, bytes);
}

describe('the write-ahead log', () => {
  it('reads back what was appended, in order', async () => {
    await writeFrames(3);
    await writeFrames(2, 2, 4);
    expect(payloads()).toEqual(['record 1', 'record 2', 'record 3', 'record 4', 'record 5']);
  });

  it('puts what arrives together into one frame', async () => {
    const writer = new LogWriter(directory, 1, 1);
    const first = writer.append(Buffer.from('a'));
    const rest = ['b', 'c', 'd'].map((text) => writer.append(Buffer.from(text)));
    await Promise.all([first, ...rest]);
    await writer.close();
    expect(payloads().join('')).toBe('abcd');
    expect(payloads().length).toBeLessThan(4);
  });

  it('cuts off a torn tail of any length and keeps the rest', async () => {
    const file = await writeFrames(3);
    const whole = statSync(file).size;
    const lastFrame = FRAME_HEAD_BYTES + 'record 3'.length;
    for (let left = 1; left < lastFrame; left += 3) {
      const copy = readFileSync(file);
      truncateSync(file, whole - lastFrame + left);
      expect(payloads()).toEqual(['record 1', 'record 2']);
      expect(statSync(file).size).toBe(whole - lastFrame);
      writeFileSync(file, copy);
    }
  });

  it('cuts off a tail of garbage and of zeros', async () => {
    const file = await writeFrames(2);
    appendFileSync(file, Buffer.alloc(4096));
    expect(payloads()).toEqual(['record 1', 'record 2']);
    appendFileSync(file, Buffer.from('HNLG and then nothing that makes sense'));
    expect(payloads()).toEqual(['record 1', 'record 2']);
  });

  it('refuses a log that is damaged before its end', async () => {
    const file = await writeFrames(3);
    const size = statSync(file).size;
    for (const at of [0, 5, 9, 17, FRAME_HEAD_BYTES + 2]) {
      flip(file, at);
      expect(() => payloads()).toThrow(LedgerDamagedError);
      flip(file, at);
    }
    expect(statSync(file).size).toBe(size);
  });

  it('refuses a log with damage or a gap between segments', async () => {
    const first = await writeFrames(2);
    await writeFrames(2, 2, 3);
    flip(first, statSync(first).size - 1);
    expect(() => payloads()).toThrow(LedgerDamagedError);
    flip(first, statSync(first).size - 1);
    await writeFrames(1, 3, 9);
    expect(() => payloads()).toThrow(LedgerDamagedError);
  });
});

describe('the data folder', () => {
  it('does not open over a damaged log and says where the damage is', async () => {
    const storage = await openStorage(directory);
    storage.close();
    const log = join(directory, 'log');
    const writer = new LogWriter(log, (listSegments(log).at(-1) ?? 0) + 1, 1);
    for (let i = 0; i < 3; i += 1) await writer.append(Buffer.from([0, 0, 0, 0, 0]));
    await writer.close();
    const file = segmentPath(log, writer.segment);
    flip(file, FRAME_HEAD_BYTES + 1);
    await expect(openStorage(directory)).rejects.toThrow(/damaged.*byte 0/);
    flip(file, FRAME_HEAD_BYTES + 1);
    (await openStorage(directory)).close();
  });
});
