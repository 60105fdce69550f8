import { hashRawSync } from '@node-rs/argon2';
import { spawnSync } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { basename } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { HashJob, HashManner } from './password-hash.ts';

// One thread that does nothing but hash.
const LOWEST_PRIORITY = 19;

/**
 * So that a wave of logins does not slow down answers that are ready within a millisecond. On Linux both are the thread's
 * own: of the lowest priority, and of the class that is interrupted as soon as anybody else has something to do.
 */
function takeWhatOthersLeave(): void {
  if (process.platform !== 'linux') return;
  try {
    // As long as the thread still has its turn.
    spawnSync('chrt', ['--idle', '--pid', '0', basename(readlinkSync('/proc/thread-self'))]);
    setPriority(0, LOWEST_PRIORITY);
  } catch {
    // Where it may not be changed, hashing competes like everything else.
  }
}

if ((workerData as HashManner) === 'polite') takeWhatOthersLeave();

/** The most memory that was there when asked for. */
let roomKib = 0;

/** The library ends the process where memory is refused to it; this throws. */
function makeSureOfRoom(kib: number): void {
  if (kib <= roomKib) return;
  // oxlint-disable-next-line no-new -- only whether it can be had
  new ArrayBuffer(kib * 1024);
  roomKib = kib;
}

parentPort?.on('message', ({ password, salt, memoryKib, passes, parallelism, tagLength }: HashJob) => {
  makeSureOfRoom(memoryKib);
  const tag = hashRawSync(password, {
    salt: Buffer.from(salt, 'base64'),
    parallelism,
    outputLen: tagLength,
    memoryCost: memoryKib,
    timeCost: passes,
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin, unlike a window
  parentPort?.postMessage(new Uint8Array(tag));
});
