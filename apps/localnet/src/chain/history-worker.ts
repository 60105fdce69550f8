// The thread that moves durable frames from the log into the database, so that the chain never waits for it.

import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { HistoryWriter, openDatabase } from './history-database.ts';
import type { Retention } from './retention.ts';
import { INDEX_MAX } from './recent-transactions.ts';
import { removeSegment } from './log-files.ts';

export type HistoryWorkerData = {
  databaseFile: string;
  logDirectory: string;
  firstSegment: number;
  retention: Retention;
  isFilingAwaited: boolean;
};
export type HistoryRequest = { segment: number; number: number; payload: Uint8Array } | 'close';
export type HistoryReply =
  | { frame: number; newest: number | null; count: number; bytes: number }
  /** Everything before this slot was forgotten. */
  | { firstSlot: number }
  | 'closed';

const BATCH_BYTES_MAX = 4 * 1024 * 1024;
/** How much is filed between two looks at the size, and what then goes at most: more than can have come in. */
const LOOK_EVERY_BYTES = 256 * 1024;
const PRUNE_COUNT = 2_000;

const port = parentPort;
if (port === null) throw new Error('this file runs as a worker only');
const data = workerData as HistoryWorkerData;
/** A past is filed in large pieces: each commit writes most pages of the indexes again, however little it adds. */
const gatherBytes = data.isFilingAwaited ? Math.min(BATCH_BYTES_MAX, data.retention.bytesMax ?? BATCH_BYTES_MAX) : 0;
/**
 * A third of what the chain's own thread gets where processors are short, which is about what filing costs beside executing. With
 * much less it would fall behind by all that may wait, and the next start after a kill would have to make up for that.
 */
const PRIORITY = 5;
try {
  // On Linux this reaches the calling thread alone: filing away may wait, answering calls may not.
  if (process.platform === 'linux' && !data.isFilingAwaited) setPriority(0, PRIORITY);
} catch {
  // Where priorities are not ours to set, the thread runs at the usual one.
}
const database = openDatabase(data.databaseFile, false);
const writer = new HistoryWriter(database);
let oldestSegment = data.firstSegment;
let newestSlot = 0;
let filedSinceLook = 0;
let waiting: Exclude<HistoryRequest, 'close'>[] = [];
let waitingBytes = 0;
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
  waitingBytes -= bytes;
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
    if (newest !== null) newestSlot = Math.floor(newest / (INDEX_MAX + 1));
    forgetOldest(bytes);
  }
  if (waiting.length > 0) schedule();
  else if (isClosing) finish();
}

/** Keeps up with what comes in: for every piece filed, a larger one may go. */
function forgetOldest(filedBytes: number): void {
  const { bytesMax, slotsMin } = data.retention;
  filedSinceLook += filedBytes;
  if (bytesMax === null || filedSinceLook < LOOK_EVERY_BYTES) return;
  filedSinceLook = 0;
  if (writer.usedBytes() <= bytesMax) return;
  const firstSlot = writer.prune(PRUNE_COUNT, newestSlot - slotsMin);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  if (firstSlot !== null) port!.postMessage({ firstSlot } satisfies HistoryReply);
}

function finish(): void {
  writer.checkpoint();
  database.close();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  port!.postMessage('closed' satisfies HistoryReply);
  port!.close();
}

function schedule(): void {
  if (isScheduled || (waitingBytes < gatherBytes && !isClosing)) return;
  isScheduled = true;
  setImmediate(applyWaiting);
}

port.on('message', (request: HistoryRequest) => {
  if (request === 'close') isClosing = true;
  else {
    waiting.push(request);
    waitingBytes += request.payload.length;
  }
  schedule();
});
