import { SolanaError } from './solana-error.ts';

/**
 * Reads little-endian bytes front to back and refuses to read past the end. What it takes is a view of the same kind as the bytes,
 * not a copy: a buffer gives buffers.
 */
export class ByteReader<Bytes extends Uint8Array = Uint8Array> {
  readonly #bytes: Bytes;
  #view: DataView | null = null;
  #offset: number;

  constructor(bytes: Bytes, offset = 0) {
    this.#bytes = bytes;
    this.#offset = offset;
  }

  get offset(): number {
    return this.#offset;
  }

  get left(): number {
    return this.#bytes.length - this.#offset;
  }

  take(count: number): Bytes {
    const start = this.#advance(count);
    return this.#bytes.subarray(start, start + count) as Bytes;
  }

  skip(count: number): void {
    this.#advance(count);
  }

  rest(): Bytes {
    return this.take(this.left);
  }

  u8(): number {
    return this.#bytes[this.#advance(1)]!;
  }

  u16(): number {
    return this.#data.getUint16(this.#advance(2), true);
  }

  i16(): number {
    return this.#data.getInt16(this.#advance(2), true);
  }

  u32(): number {
    return this.#data.getUint32(this.#advance(4), true);
  }

  u64(): bigint {
    return this.#data.getBigUint64(this.#advance(8), true);
  }

  i64(): bigint {
    return this.#data.getBigInt64(this.#advance(8), true);
  }

  f64(): number {
    return this.#data.getFloat64(this.#advance(8), true);
  }

  /** Solana's length prefix: seven bits a byte, at most three bytes, shortest form only. */
  compactU16(): number {
    const start = this.#offset;
    const first = this.u8();
    if (first < 0x80) return first;
    const second = this.u8();
    const low = (first & 0x7f) | ((second & 0x7f) << 7);
    if (second < 0x80) {
      if (second > 0) return low;
    } else {
      const third = this.u8();
      if (third > 0 && third <= 3) return low | (third << 14);
    }
    throw new SolanaError('COMPACT_U16_INVALID', { offset: start });
  }

  expectEnd(): void {
    if (this.left !== 0) throw new SolanaError('BYTES_LEFT_OVER', { offset: this.#offset, length: this.#bytes.length });
  }

  get #data(): DataView {
    this.#view ??= new DataView(this.#bytes.buffer, this.#bytes.byteOffset, this.#bytes.byteLength);
    return this.#view;
  }

  #advance(count: number): number {
    const start = this.#offset;
    const end = start + count;
    if (count < 0 || end > this.#bytes.length) {
      throw new SolanaError('BYTES_ENDED', { offset: start, needed: count, length: this.#bytes.length });
    }
    this.#offset = end;
    return start;
  }
}

export function encodeCompactU16(value: number): number[] {
  if (!Number.isInteger(value) || value < 0 || value > 0xffff)
    throw new SolanaError('COMPACT_U16_INVALID', { offset: 0 });
  if (value < 0x80) return [value];
  if (value < 0x4000) return [(value & 0x7f) | 0x80, value >> 7];
  return [(value & 0x7f) | 0x80, ((value >> 7) & 0x7f) | 0x80, value >> 14];
}
