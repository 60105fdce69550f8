import { AppError } from '@hunter/contract/app-error';
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { promisify } from 'node:util';
import { ConcurrencyLimit } from '../platform/concurrency-limit.ts';

// OWASP's floor for Argon2id. The work runs on libuv's threads, on one processor less than there are, so that the event
// loop always has one to itself, and never on all of the pool's four threads, which files and name lookups need too;
// UV_THREADPOOL_SIZE raises the pool on larger machines.
const MEMORY_KIB = 19_456;
const PASSES = 2;
const PARALLELISM = 1;
const TAG_BYTES = 32;
const HASHES_AT_A_TIME = Math.max(1, Math.min(availableParallelism() - 1, 3));
const HASHES_WAITING_MAX = 200;

const deriveKey = promisify(argon2);

type Parameters = { memoryKib: number; passes: number; parallelism: number; salt: Buffer; tag: Buffer };

export class PasswordHasher {
  readonly #limit = new ConcurrencyLimit(HASHES_AT_A_TIME, HASHES_WAITING_MAX);
  /** Verified against when there is no account, so that both answers take the same work. */
  readonly #dummy: Promise<string>;

  constructor() {
    this.#dummy = this.hash(randomBytes(16).toString('hex'));
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
      deriveKey('argon2id', {
        message: Buffer.from(password.normalize('NFKC'), 'utf8'),
        nonce: salt,
        parallelism,
        tagLength: tag.length,
        memory: memoryKib,
        passes,
      }),
    );
    if (!done) throw new AppError('UNAVAILABLE');
    return Buffer.from(done.value);
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
