import { AppError } from '@hunter/contract/app-error';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { ConcurrencyLimit } from '../platform/concurrency-limit.ts';

// OWASP's floor for Argon2id. The work runs on threads of its own, for one processor less than there are: logins never
// take the event loop's turn, nor libuv's threads, which files and name lookups need.
const MEMORY_KIB = 19_456;
const PASSES = 2;
const PARALLELISM = 1;
const TAG_BYTES = 32;
const HASHES_AT_A_TIME = Math.max(1, Math.min(availableParallelism() - 1, 4));
const HASHES_WAITING_MAX = 200;
/** Ten times what a hash takes where there is room, and little to whoever waits for it. */
const PATIENCE_MS = 150;

/** A polite thread takes what others leave; an insisting one competes with them. */
export type HashManner = 'polite' | 'insisting';

export type HashJob = {
  password: string;
  /** In base64: a string is handed to a thread faster than bytes. */
  salt: string;
  memoryKib: number;
  passes: number;
  parallelism: number;
  tagLength: number;
};

type Parameters = { memoryKib: number; passes: number; parallelism: number; salt: Buffer; tag: Buffer };

export class PasswordHasher {
  readonly #limit = new ConcurrencyLimit(HASHES_AT_A_TIME, HASHES_WAITING_MAX);
  readonly #threads: HashThreads;
  /** Verified against when there is no account, so that both answers take the same work. */
  readonly #dummy: Promise<string>;

  constructor({ patienceMs = PATIENCE_MS } = {}) {
    this.#threads = new HashThreads(patienceMs);
    this.#dummy = this.hash(randomBytes(16).toString('hex'));
    // Whoever needs it is told; nobody may need it before the process has said why it ends.
    this.#dummy.catch(() => {});
  }

  /** Rejects where passwords cannot be hashed here, which is nearly always a lack of memory. */
  async ready(): Promise<void> {
    try {
      await this.#dummy;
    } catch (cause) {
      const megabytes = Math.ceil(MEMORY_KIB / 1000);
      throw new Error(`passwords cannot be hashed: Argon2id needs ${megabytes} MB of free memory`, { cause });
    }
  }

  async hash(password: string): Promise<string> {
    const salt = randomBytes(16);
    const tag = await this.#derive(password, {
      memoryKib: MEMORY_KIB,
      passes: PASSES,
      parallelism: PARALLELISM,
      salt,
      tag: Buffer.alloc(TAG_BYTES),
    });
    return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${PARALLELISM}$${unpadded(salt)}$${unpadded(tag)}`;
  }

  /** Takes the same time for an unknown account (`stored` null) as for a wrong password. */
  async verify(password: string, stored: string | null): Promise<boolean> {
    const parameters = parse(stored ?? (await this.#dummy));
    const tag = await this.#derive(password, parameters);
    return timingSafeEqual(tag, parameters.tag) && stored !== null;
  }

  async #derive(password: string, { memoryKib, passes, parallelism, salt, tag }: Parameters): Promise<Buffer> {
    const done = await this.#limit.run(() =>
      this.#threads.run({
        password: password.normalize('NFKC'),
        salt: salt.toString('base64'),
        memoryKib,
        passes,
        parallelism,
        tagLength: tag.length,
      }),
    );
    if (!done) throw new AppError('UNAVAILABLE');
    return Buffer.from(done.value);
  }
}

/**
 * Each hash runs on a polite thread first, which takes only what others leave; on a busy machine that may be nothing for
 * long, so a hash that waited long enough runs on an insisting thread as well, and whichever ends first counts.
 */
class HashThreads {
  readonly #polite = new HashPool('polite');
  readonly #insisting = new HashPool('insisting');
  readonly #patienceMs: number;

  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  async run(job: HashJob): Promise<Uint8Array> {
    // Whoever is still at work on an earlier hash gets too little.
    if (this.#polite.busy >= HASHES_AT_A_TIME) return this.#insisting.run(job);
    const politely = this.#polite.run(job);
    const isDone = await isSettledWithin(politely, this.#patienceMs);
    return isDone ? politely : Promise.race([politely, this.#insisting.run(job)]);
  }
}

/** Threads are started when first needed and replaced when they die. */
class HashPool {
  readonly #manner: HashManner;
  readonly #idle: HashThread[] = [];
  #busy = 0;

  constructor(manner: HashManner) {
    this.#manner = manner;
  }

  get busy(): number {
    return this.#busy;
  }

  async run(job: HashJob): Promise<Uint8Array> {
    this.#busy += 1;
    try {
      let thread = this.#idle.pop() ?? new HashThread(this.#manner);
      while (thread.isDead) thread = this.#idle.pop() ?? new HashThread(this.#manner);
      const tag = await thread.run(job);
      this.#idle.push(thread);
      return tag;
    } finally {
      this.#busy -= 1;
    }
  }
}

/**
 * One hash at a time. Where it dies at work, that `run` rejects. Only an insisting thread keeps the process alive, and only
 * at work: nobody waits longer than a moment for a polite one alone.
 */
class HashThread {
  readonly #worker: Worker;
  readonly #manner: HashManner;
  #running: PromiseWithResolvers<Uint8Array> | null = null;
  #isDead = false;

  constructor(manner: HashManner) {
    this.#manner = manner;
    this.#worker = new Worker(new URL('./hash-worker.ts', import.meta.url), { workerData: manner });
    const end = (error: Error) => {
      this.#isDead = true;
      this.#running?.reject(error);
    };
    this.#worker
      .on('message', (tag: Uint8Array) => this.#running?.resolve(tag))
      .on('error', end)
      .on('exit', (code) => end(new Error(`a hashing thread exited with code ${code}`)));
    this.#worker.unref();
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  async run(job: HashJob): Promise<Uint8Array> {
    this.#running = Promise.withResolvers();
    if (this.#manner === 'insisting') this.#worker.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin, unlike a window
    this.#worker.postMessage(job);
    const tag = await this.#running.promise;
    this.#worker.unref();
    return tag;
  }
}

async function isSettledWithin(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, milliseconds, false);
  const settled = () => resolve(true);
  work.then(settled, settled);
  const isSettled = await promise;
  clearTimeout(timer);
  return isSettled;
}

const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

function parse(stored: string): Parameters {
  const [, memory, passes, parallelism, salt, tag] = PHC.exec(stored) ?? [];
  if (!memory || !passes || !parallelism || !salt || !tag) throw new Error('a stored password hash is malformed');
  return {
    memoryKib: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  };
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
