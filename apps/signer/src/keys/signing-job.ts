import type { KeyObject } from 'node:crypto';
import type { Denial } from '../denial.ts';
import type { SealedKey, Owner } from './sealed-key.ts';

/** What the pool and its threads tell each other. */
export type SigningJob = { owner: Owner; sealedKey: SealedKey; message: string };
export type ToWorker = { keys: [string, KeyObject][] } | { group: number; jobs: PackedJobs };
export type FromWorker = { group: number; results: (string | { denied: Denial })[] };

/** One field after the other: objects are copied to a thread with the name of each field, which took three times as long. */
type PackedJobs = (string | number)[];

export function packJobs(jobs: readonly SigningJob[]): PackedJobs {
  const packed: PackedJobs = [];
  for (const { owner, sealedKey, message } of jobs) {
    const { v, rev, env, pub, kek, key, data } = sealedKey;
    packed.push(owner.userId, owner.walletId, v, rev, env, pub, kek, key, data, message);
  }
  return packed;
}

type Fields = [string, string, SealedKey['v'], number, string, string, string, string, string, string];
const FIELDS = 10 satisfies Fields['length'];

export function unpackJobs(packed: PackedJobs): SigningJob[] {
  const jobs: SigningJob[] = [];
  for (let at = 0; at < packed.length; at += FIELDS) {
    const [userId, walletId, v, rev, env, pub, kek, key, data, message] = packed.slice(at, at + FIELDS) as Fields;
    jobs.push({ owner: { userId, walletId }, sealedKey: { v, rev, env, pub, kek, key, data }, message });
  }
  return jobs;
}
