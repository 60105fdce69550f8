import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { deny } from '../denial.ts';
import { SignerError } from '../signer-error.ts';

const MEMORY_KIB = 19_456;
const PASSES = 2;
const TAG_BYTES = 32;
const QUEUE_MAX = 5_000;
const FAILURES_MAX = 10;
const FAILURE_WINDOW_MS = 15 * 60_000;
const FAILING_WALLETS_MAX = 10_000;

/**
 * Argon2id on the thread pool, only a few at a time: each takes 19 MiB and tens of milliseconds, and signing shares
 * the pool. Guessing is bounded per wallet.
 */
export class PasswordCheck {
  readonly #now: () => number;
  readonly #concurrency: number;
  readonly #memoryKib: number;
  readonly #waiting: (() => void)[] = [];
  readonly #failures = new Map<string, number[]>();
  readonly #lastCheck = new Map<string, Promise<void>>();
  #running = 0;

  /** Tests hash with less memory; each hash says how much it took. */
  constructor(options: { now: () => number; concurrency: number; memoryKib?: number }) {
    this.#now = options.now;
    this.#concurrency = options.concurrency;
    this.#memoryKib = options.memoryKib ?? MEMORY_KIB;
  }

  async hash(password: string): Promise<string> {
    const salt = randomBytes(16);
    // The same form as the server's own hash, so that one typing of a password opens both.
    const tag = await this.#derive(password.normalize('NFKC'), salt, this.#memoryKib, PASSES);
    return ['argon2id', this.#memoryKib, PASSES, salt.toString('base64'), tag.toString('base64')].join('$');
  }

  /**
   * Denies a wrong password, and every password while the wallet saw too many wrong ones. Checks of one wallet run
   * one after the other, so that parallel guesses cannot slip past the limit.
   */
  async require(walletId: string, password: string, stored: string): Promise<void> {
    const before = this.#lastCheck.get(walletId) ?? Promise.resolve();
    const check = before.then(() => this.#requireNow(walletId, password, stored));
    const settled = check.then(
      () => {},
      () => {},
    );
    this.#lastCheck.set(walletId, settled);
    try {
      await check;
    } finally {
      if (this.#lastCheck.get(walletId) === settled) this.#lastCheck.delete(walletId);
    }
  }

  async #requireNow(walletId: string, password: string, stored: string): Promise<void> {
    const since = this.#now() - FAILURE_WINDOW_MS;
    const recent = (this.#failures.get(walletId) ?? []).filter((at) => at > since);
    if (recent.length >= FAILURES_MAX) deny('TOO_MANY_TRIES', 'too many wrong passwords; wait a quarter of an hour');
    if (await this.#matches(password, stored)) return;
    this.#failures.delete(walletId);
    if (this.#failures.size >= FAILING_WALLETS_MAX) {
      const oldest = this.#failures.keys().next();
      if (!oldest.done) this.#failures.delete(oldest.value);
    }
    this.#failures.set(walletId, [...recent, this.#now()]);
    deny('BAD_PASSWORD', 'the password is wrong');
  }

  async #matches(password: string, stored: string): Promise<boolean> {
    const [kind, memory, passes, salt, tag] = stored.split('$');
    if (kind !== 'argon2id' || salt === undefined || tag === undefined) return false;
    const expected = Buffer.from(tag, 'base64');
    // Sealed keys made before passwords were brought to the server's own form have the looser one.
    for (const form of new Set([password.normalize('NFKC'), password.normalize('NFC')])) {
      const actual = await this.#derive(form, Buffer.from(salt, 'base64'), Number(memory), Number(passes));
      if (actual.length === expected.length && timingSafeEqual(actual, expected)) return true;
    }
    return false;
  }

  async #derive(password: string, salt: Buffer, memory: number, passes: number): Promise<Buffer> {
    await this.#enter();
    const message = Buffer.from(password, 'utf8');
    try {
      const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
      const parameters = { message, nonce: salt, parallelism: 1, tagLength: TAG_BYTES, memory, passes };
      argon2('argon2id', parameters, (error, tag) => {
        if (error === null) resolve(tag);
        else reject(error);
      });
      return await promise;
    } finally {
      message.fill(0);
      this.#leave();
    }
  }

  async #enter(): Promise<void> {
    if (this.#running < this.#concurrency) {
      this.#running += 1;
      return;
    }
    if (this.#waiting.length >= QUEUE_MAX) throw new SignerError('BUSY', 'too many passwords are being checked');
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    await promise;
  }

  #leave(): void {
    // The place is handed to the next in line without becoming free in between.
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}
