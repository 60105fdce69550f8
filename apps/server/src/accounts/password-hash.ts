import { hashRaw } from '@node-rs/argon2';
import { AppError } from '@hunter/contract/app-error';
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { systemClock, waitAtMost } from '../platform/clock.ts';
import { ConcurrencyLimit } from '../platform/concurrency-limit.ts';
import { FairLimit } from '../platform/fair-limit.ts';
import { BackgroundHash, type HashReply } from './background-hash.ts';

// OWASP's floor for Argon2id. A hash runs on a thread that takes what others leave. On a busy machine that may be nothing for
// long, so whatever has waited long enough, or finds that thread at work, runs on libuv's threads, and never on all of them:
// logins do not take the event loop's turn, and files and name lookups find a thread.
const MEMORY_KIB = 19_456;
const PASSES = 2;
const PARALLELISM = 1;
const TAG_BYTES = 32;
const HASHES_AT_A_TIME = Math.max(1, Math.min(availableParallelism() - 1, 2));
const HASHES_WAITING_MAX = 200;
/** Of those that are known, who take turns: fifty accounts would have to ask for all they may at once before another is refused. */
const KNOWN_WAITING = { waiting: 1_000, waitingEach: 20 };
/** Some ten times what a hash takes where there is room, and little to whoever waits for it. */
const BACKGROUND_MS = 100;

/** Who has a session, a mailed code or a device that logged in before is known, by account or address; others are not. */
type Asker = { readonly known: string } | 'stranger';

type Parameters = { memoryKib: number; passes: number; parallelism: number; salt: Buffer; tag: Buffer };

export class PasswordHasher {
  /** However many passwords strangers try, they keep nobody from his account, and nor does somebody with an account of his own. */
  readonly #known = new FairLimit({ running: 1, ...KNOWN_WAITING });
  readonly #strangers = new ConcurrencyLimit(HASHES_AT_A_TIME, HASHES_WAITING_MAX);
  readonly #background: Pick<BackgroundHash, 'begin'>;
  /** A process starts with a hash of its own. Starting a thread takes longer than that hash, and is left to the first password. */
  #mayUseThread = false;
  /** The most memory that was there when asked for. */
  #roomKib = 0;
  /** Verified against when there is no account, so that both answers take the same work. */
  readonly #dummy: Promise<string>;

  constructor(background: Pick<BackgroundHash, 'begin'> = new BackgroundHash()) {
    this.#background = background;
    this.#dummy = this.hash(randomBytes(16).toString('hex'), { known: '' }).finally(() => (this.#mayUseThread = true));
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

  async hash(password: string, asker: Asker): Promise<string> {
    const salt = randomBytes(16);
    const tag = await this.#derive(asker, password, {
      memoryKib: MEMORY_KIB,
      passes: PASSES,
      parallelism: PARALLELISM,
      salt,
      tag: Buffer.alloc(TAG_BYTES),
    });
    return `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=${PARALLELISM}$${unpadded(salt)}$${unpadded(tag)}`;
  }

  /** Takes the same time for an unknown account (`stored` null) as for a wrong password. */
  async verify(password: string, stored: string | null, asker: Asker): Promise<boolean> {
    const parameters = parse(stored ?? (await this.#dummy));
    const tag = await this.#derive(asker, password, parameters);
    return timingSafeEqual(tag, parameters.tag) && stored !== null;
  }

  async #derive(asker: Asker, password: string, parameters: Parameters): Promise<Buffer> {
    this.#makeSureOfRoom(parameters.memoryKib);
    const normal = password.normalize('NFKC');
    const work = async (): Promise<Buffer> =>
      (await this.#inBackground(normal, parameters)) ?? hashNow(normal, parameters);
    const done = await (asker === 'stranger' ? this.#strangers.run(work) : this.#known.run(asker.known, work));
    if (!done) throw new AppError('UNAVAILABLE');
    return done.value;
  }

  /** Null where it did not come to anything in time. */
  async #inBackground(
    password: string,
    { memoryKib, passes, parallelism, salt, tag }: Parameters,
  ): Promise<Buffer | null> {
    const job = { password, salt: salt.toString('base64'), memoryKib, passes, parallelism, tagLength: tag.length };
    const begun = this.#mayUseThread ? this.#background.begin(job) : null;
    if (begun === null) return null;
    const found: { reply: HashReply } = { reply: null };
    await waitAtMost(
      systemClock,
      BACKGROUND_MS,
      begun.then((reply) => (found.reply = reply)),
    );
    return found.reply && Buffer.from(found.reply);
  }

  /** The library ends the process where memory is refused to it; this throws. */
  #makeSureOfRoom(kib: number): void {
    if (kib <= this.#roomKib) return;
    // oxlint-disable-next-line no-new -- only whether it can be had
    new ArrayBuffer(kib * 1024);
    this.#roomKib = kib;
  }
}

function hashNow(password: string, { memoryKib, passes, parallelism, salt, tag }: Parameters): Promise<Buffer> {
  return hashRaw(password, {
    salt,
    memoryCost: memoryKib,
    timeCost: passes,
    parallelism,
    outputLen: tag.length,
  });
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
