import { argon2Sync } from 'node:crypto';
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

parentPort?.on('message', ({ id, message, salt, memoryKib, passes, parallelism, tagLength }: HashJob) => {
  const tag = argon2Sync('argon2id', {
    message,
    nonce: salt,
    parallelism,
    tagLength,
    memory: memoryKib,
    passes,
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin, unlike a window
  parentPort?.postMessage({ id, tag });
});
