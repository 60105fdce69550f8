// The thread that moves durable frames from the log into the database, so that the chain never waits for it.

import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { HistoryWriter, openDatabase } from './history-database.ts';
import { removeSegment } from './log-files.ts';

export type HistoryWorkerData = { databaseFile: string; logDirectory: string; firstSegment: number };
export type HistoryRequest = { segment: number; number: number; payload: Uint8Array } | 'close';
export type HistoryReply = { frame: number; newest: number | null; count: number; bytes: number } | 'closed';

const BATCH_BYTES_MAX = 4 * 1024 * 1024;

const port = parentPort;
if (port === null) throw new Error('this file runs as a worker only');
try {
  // On Linux this reaches the calling thread alone: filing away may wait, answering calls may not.
  if (process.platform === 'linux') setPriority(0, 10);
} catch {
  // Where priorities are not ours to set, the thread runs at the usual one.
}
const data = workerData as HistoryWorkerData;
const database = openDatabase(data.databaseFile, false);
const writer = new HistoryWriter(database);
let oldestSegment = data.firstSegment;
let waiting: Exclude<HistoryRequest, 'close'>[] = [];
let isScheduled = false;
let isClosing = false;

function dropSegmentsBefore(segment: number): void {
  if (segment <= oldestSegment || !writer.checkpoint()) return;
  for (; oldestSegment < segment; oldestSegment += 1) removeSegment(data.logDirectory, oldestSegment);
}

function applyWaiting(): void {
  isScheduled = false;
  let take = 0;
  let bytes = 0;
  while (take < waiting.length && (take === 0 || bytes < BATCH_BYTES_MAX)) {
    bytes += waiting[take]!.payload.length;
    take += 1;
  }
  const frames = waiting.slice(0, take);
  waiting = waiting.slice(take);
  if (frames.length > 0) {
    const buffers = frames.map(({ number, payload }) => ({
      number,
      payload: Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength),
    }));
    const { newest, count } = writer.apply(buffers);
    const last = frames.at(-1)!;
    dropSegmentsBefore(last.segment);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
    port!.postMessage({ frame: last.number, newest, count, bytes } satisfies HistoryReply);
  }
  if (waiting.length > 0) schedule();
  else if (isClosing) finish();
}

function finish(): void {
  writer.checkpoint();
  database.close();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  port!.postMessage('closed' satisfies HistoryReply);
  port!.close();
}

function schedule(): void {
  if (isScheduled) return;
  isScheduled = true;
  setImmediate(applyWaiting);
}

port.on('message', (request: HistoryRequest) => {
  if (request === 'close') isClosing = true;
  else waiting.push(request);
  schedule();
});
