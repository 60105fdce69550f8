import { hashRawSync } from '@node-rs/argon2';
import { spawnSync } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { basename } from 'node:path';
import { parentPort } from 'node:worker_threads';
import type { HashJob, HashReply } from './background-hash.ts';

/**
 * On Linux a thread may choose the scheduling class that is interrupted as soon as anybody else has something to do. Node has
 * no call for it. Without the class a wave of logins costs answers that are ready within a millisecond up to three.
 */
function takeWhatOthersLeave(): void {
  if (process.platform === 'linux')
    spawnSync('chrt', ['--idle', '--pid', '0', basename(readlinkSync('/proc/thread-self'))]);
}

function hash({ password, salt, memoryKib, passes, parallelism, tagLength }: HashJob): HashReply {
  try {
    const options = { parallelism, outputLen: tagLength, memoryCost: memoryKib, timeCost: passes };
    return new Uint8Array(hashRawSync(password, { salt: Buffer.from(salt, 'base64'), ...options }));
  } catch {
    return null;
  }
}

takeWhatOthersLeave();
const answer = (message: 'ready' | HashReply): void => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin, unlike a window
  parentPort?.postMessage(message);
};
parentPort?.on('message', (job: HashJob) => answer(hash(job)));
answer('ready');
