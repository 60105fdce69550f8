import { SolanaError } from './solana-error.ts';

/** Reads bytes front to back and refuses to read past the end. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get offset(): number {
    return this.#offset;
  }

  take(count: number): Uint8Array {
    const end = this.#offset + count;
    if (end > this.#bytes.length) {
      throw new SolanaError('BYTES_ENDED', { offset: this.#offset, needed: count, length: this.#bytes.length });
    }
    const part = this.#bytes.subarray(this.#offset, end);
    this.#offset = end;
    return part;
  }

  byte(): number {
    return this.take(1)[0]!;
  }

  peek(): number {
    const value = this.#bytes[this.#offset];
    if (value === undefined) {
      throw new SolanaError('BYTES_ENDED', { offset: this.#offset, needed: 1, length: this.#bytes.length });
    }
    return value;
  }

  /** Solana's length prefix: seven bits a byte, at most three bytes, shortest form only. */
  compactU16(): number {
    const start = this.#offset;
    let value = 0;
    for (let index = 0; index < 3; index += 1) {
      const byte = this.byte();
      value |= (byte & 0x7f) << (7 * index);
      if ((byte & 0x80) === 0) {
        if ((index > 0 && byte === 0) || value > 0xffff) break;
        return value;
      }
    }
    throw new SolanaError('COMPACT_U16_INVALID', { offset: start });
  }

  rest(): Uint8Array {
    return this.take(this.#bytes.length - this.#offset);
  }

  expectEnd(): void {
    if (this.#offset !== this.#bytes.length) {
      throw new SolanaError('BYTES_LEFT_OVER', { offset: this.#offset, length: this.#bytes.length });
    }
  }
}

export function encodeCompactU16(value: number): number[] {
  if (!Number.isInteger(value) || value < 0 || value > 0xffff)
    throw new SolanaError('COMPACT_U16_INVALID', { offset: 0 });
  if (value < 0x80) return [value];
  if (value < 0x4000) return [(value & 0x7f) | 0x80, value >> 7];
  return [(value & 0x7f) | 0x80, ((value >> 7) & 0x7f) | 0x80, value >> 14];
}
