import { argon2Sync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { BackgroundHash, type HashJob } from './background-hash.ts';

const salt = Buffer.alloc(16, 7);
const job: HashJob = {
  password: 'four words',
  salt: salt.toString('base64'),
  memoryKib: 1024,
  passes: 2,
  parallelism: 1,
  tagLength: 32,
};
const SCHED_IDLE = '5';

/** The scheduling class of each thread of this process, the 41st field of its `stat`. */
function schedulingClasses(): string[] {
  if (process.platform !== 'linux') return [SCHED_IDLE];
  return readdirSync('/proc/self/task').map((thread) => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[38]!;
  });
}

describe('BackgroundHash', () => {
  it('gives what Argon2id gives anywhere else, one password at a time', async () => {
    const background = new BackgroundHash();
    const first = await vi.waitFor(
      () => {
        const begun = background.begin(job);
        if (begun === null) throw new Error('the thread is not there yet');
        return { begun };
      },
      { timeout: 120_000 },
    );
    expect(background.begin(job)).toBeNull();
    const expected = argon2Sync('argon2id', {
      message: Buffer.from('four words'),
      nonce: salt,
      memory: 1024,
      passes: 2,
      parallelism: 1,
      tagLength: 32,
    });
    expect(Buffer.from((await first.begun)!)).toEqual(expected);
    expect(await background.begin({ ...job, memoryKib: 1 })).toBeNull();
    expect(Buffer.from((await background.begin(job))!)).toEqual(expected);
    expect(schedulingClasses()).toContain(SCHED_IDLE);
  });
});
