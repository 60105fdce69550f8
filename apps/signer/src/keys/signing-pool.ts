import { type KeyObject, sign } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { Denied } from '../denial.ts';
import type { SealedKey, SealedKeyVault, Owner } from './sealed-key.ts';
import { type FromWorker, packJobs, type SigningJob, type ToWorker } from './signing-job.ts';

type Waiting = { job: SigningJob; resolve: (signature: Buffer) => void; reject: (error: unknown) => void };
type Thread = { worker: Worker; open: number };
type Options = { threads: number; environment: string; keys: [string, KeyObject][] };

// Opening a sealed key costs as much as signing, so one core reaches about 40 % of bare signing; the rest comes from using
// the others. A handful of signatures is not worth the way to a thread and back.
const GROUP_MAX = 16;
const INLINE_MAX = 4;
const GROUPS_PER_THREAD_MAX = 2;

/** Signs on as many threads as given; without any, or for a few signatures, right here. */
export class SigningPool {
  readonly #vault: SealedKeyVault;
  /** All of them, those still starting included; keys must reach every one. */
  readonly #workers = new Set<Worker>();
  readonly #threads: Thread[] = [];
  readonly #groups = new Map<number, { thread: Thread; waiting: Waiting[] }>();
  /** What is left to start. */
  #unstarted: Options | null = null;
  #queue: Waiting[] = [];
  #isFlushPlanned = false;
  #nextGroup = 1;

  constructor(vault: SealedKeyVault) {
    this.#vault = vault;
  }

  /** Threads start with the first signatures that are worth the way to one; until they answer, signing happens here. */
  start(options: Options): void {
    this.#unstarted = options;
  }

  get threads(): number {
    return this.#threads.length;
  }

  setKeys(keys: [string, KeyObject][]): void {
    if (this.#unstarted) this.#unstarted = { ...this.#unstarted, keys };
    for (const worker of this.#workers) post(worker, { keys });
  }

  sign(owner: Owner, sealedKey: SealedKey, message: Buffer): Promise<Buffer> {
    const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
    const { userId, walletId } = owner;
    const job = { owner: { userId, walletId }, sealedKey, message: message.toString('latin1') };
    this.#queue.push({ job, resolve, reject });
    if (!this.#isFlushPlanned) this.#planFlush();
    return promise;
  }

  async close(): Promise<void> {
    this.#unstarted = null;
    this.#threads.length = 0;
    await Promise.all(Array.from(this.#workers, (worker) => worker.terminate()));
  }

  #flush(): void {
    this.#isFlushPlanned = false;
    if (this.#queue.length > INLINE_MAX) this.#startThreads();
    if (this.#threads.length === 0 || (this.#queue.length <= INLINE_MAX && this.#groups.size === 0)) {
      const now = this.#queue.splice(0, GROUP_MAX);
      for (const waiting of now) this.#signHere(waiting);
      if (this.#queue.length > 0) this.#planFlush();
      return;
    }
    while (this.#queue.length > 0) {
      const thread = this.#threads.reduce((least, other) => (other.open < least.open ? other : least));
      // What does not fit now waits here for the next answer, so that no thread hoards what another could do.
      if (thread.open >= GROUPS_PER_THREAD_MAX) return;
      const share = Math.ceil(this.#queue.length / this.#threads.length);
      this.#hand(thread, this.#queue.splice(0, Math.min(GROUP_MAX, share)));
    }
  }

  #startThreads(): void {
    if (this.#unstarted === null) return;
    const { threads, environment, keys } = this.#unstarted;
    this.#unstarted = null;
    for (let index = 0; index < threads; index += 1) {
      // The threads get no environment variables: the access token is none of their business.
      const worker = new Worker(new URL('signing-worker.ts', import.meta.url), {
        workerData: { environment },
        env: {},
      });
      const thread: Thread = { worker, open: 0 };
      this.#workers.add(worker);
      worker.on('online', () => this.#threads.push(thread));
      worker.on('message', (message: FromWorker) => this.#finished(message));
      worker.on('error', (error) => this.#lost(thread, error));
      worker.on('exit', () => this.#lost(thread, new Error('a signing thread ended')));
      worker.unref();
      post(worker, { keys });
    }
  }

  #planFlush(): void {
    this.#isFlushPlanned = true;
    setImmediate(() => this.#flush());
  }

  #hand(thread: Thread, waiting: Waiting[]): void {
    const group = this.#nextGroup;
    this.#nextGroup += 1;
    thread.open += 1;
    this.#groups.set(group, { thread, waiting });
    post(thread.worker, { group, jobs: packJobs(waiting.map((entry) => entry.job)) });
  }

  #finished({ group, results }: FromWorker): void {
    const done = this.#groups.get(group);
    if (done === undefined) return;
    this.#groups.delete(group);
    done.thread.open -= 1;
    for (const [index, result] of results.entries()) {
      const entry = done.waiting[index]!;
      if (typeof result === 'string') entry.resolve(Buffer.from(result, 'latin1'));
      else entry.reject(new Denied(result.denied));
    }
    if (this.#queue.length > 0) this.#flush();
  }

  #lost(thread: Thread, error: unknown): void {
    this.#workers.delete(thread.worker);
    const index = this.#threads.indexOf(thread);
    if (index >= 0) this.#threads.splice(index, 1);
    for (const [group, entry] of this.#groups) {
      if (entry.thread !== thread) continue;
      this.#groups.delete(group);
      for (const waiting of entry.waiting) waiting.reject(error);
    }
    if (this.#queue.length > 0 && !this.#isFlushPlanned) this.#planFlush();
  }

  #signHere({ job, resolve, reject }: Waiting): void {
    try {
      const key = this.#vault.openKey(job.owner, job.sealedKey);
      resolve(sign(null, Buffer.from(job.message, 'latin1'), key));
    } catch (error) {
      reject(error);
    }
  }
}

function post(worker: Worker, message: ToWorker): void {
  worker.postMessage(message, []);
}
