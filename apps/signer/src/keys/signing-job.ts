import type { KeyObject } from 'node:crypto';
import type { Denial } from '../denial.ts';
import type { SealedKey, Owner } from './sealed-key.ts';

/** What the pool and its threads tell each other. */
export type SigningJob = { owner: Owner; sealedKey: SealedKey; message: string };
export type ToWorker = { keys: [string, KeyObject][] } | { group: number; jobs: SigningJob[] };
export type FromWorker = { group: number; results: (string | { denied: Denial })[] };
