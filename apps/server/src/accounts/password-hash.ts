import { AppError } from '@hunter/contract/app-error';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { ConcurrencyLimit } from '../platform/concurrency-limit.ts';

// OWASP's floor for Argon2id. The work runs on threads of its own, one processor less than there are, at a low
// priority: logins never take the event loop's turn, nor libuv's threads, which files and name lookups need.
const MEMORY_KIB = 19_456;
const PASSES = 2;
const PARALLELISM = 1;
const TAG_BYTES = 32;
const HASHES_AT_A_TIME = Math.max(1, Math.min(availableParallelism() - 1, 4));
const HASHES_WAITING_MAX = 200;

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
  readonly #pool = new HashThreads();
  /** Verified against when there is no account, so that both answers take the same work. */
  readonly #dummy: Promise<string>;

  constructor() {
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
      this.#pool.run({
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

/** Threads are started when first needed, replaced when they die, and keep no process alive. */
class HashThreads {
  readonly #idle: HashThread[] = [];

  async run(job: HashJob): Promise<Uint8Array> {
    let thread = this.#idle.pop() ?? new HashThread();
    while (thread.isDead) thread = this.#idle.pop() ?? new HashThread();
    const tag = await thread.run(job);
    this.#idle.push(thread);
    return tag;
  }
}

/** One hash at a time. Where it dies at work, that `run` rejects. */
class HashThread {
  readonly #worker = new Worker(new URL('./hash-worker.ts', import.meta.url));
  #running: PromiseWithResolvers<Uint8Array> | null = null;
  #isDead = false;

  constructor() {
    const end = (error: Error) => {
      this.#isDead = true;
      this.#running?.reject(error);
    };
    this.#worker
      .on('message', (tag: Uint8Array) => this.#running?.resolve(tag))
      .on('error', end)
      .on('exit', (code) => end(new Error(`a hashing thread exited with code ${code}`)));
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  async run(job: HashJob): Promise<Uint8Array> {
    this.#running = Promise.withResolvers();
    this.#worker.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin, unlike a window
    this.#worker.postMessage(job);
    const tag = await this.#running.promise;
    this.#worker.unref();
    return tag;
  }
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
