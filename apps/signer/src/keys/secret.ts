import { inspect } from 'node:util';

/**
 * Bytes that must not travel. They cannot be serialised, printed or compared by accident, and are wiped
 * as soon as their one use is over.
 */
export class Secret {
  readonly #bytes: Buffer;

  /** Takes the buffer over: nobody else may keep it. */
  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Lends the bytes to `use` and wipes them afterwards, whatever happens. */
  consume<Result>(use: (bytes: Buffer) => Result): Result {
    try {
      return use(this.#bytes);
    } finally {
      this.wipe();
    }
  }

  wipe(): void {
    this.#bytes.fill(0);
  }

  toJSON(): string {
    return '[secret]';
  }

  toString(): string {
    return '[secret]';
  }

  [inspect.custom](): string {
    return '[secret]';
  }
}
