import { hashRawSync } from '@node-rs/argon2';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { HashJob } from './password-hash.ts';

// One thread that does nothing but hash. On Linux the priority is the thread's own: hashing takes what others leave,
// so that a wave of logins does not slow down answers that are ready within a millisecond.
const LOW_PRIORITY = 19;

try {
  setPriority(0, LOW_PRIORITY);
} catch {
  // Where it may not be changed, hashing competes like everything else.
}

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
