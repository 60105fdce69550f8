// Walks over little-endian account and instruction data. Reading past the end throws a RangeError, which callers turn
// into "cannot be parsed".

import { encodeAddress } from '../chain/address-text.ts';
import { SYSTEM_PROGRAM } from '@hunter/solana/program-ids';

export class ByteCursor {
  readonly #data: Uint8Array;
  readonly #view: DataView;
  at: number;

  constructor(data: Uint8Array, at = 0) {
    this.#data = data;
    this.#view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    this.at = at;
  }

  get left(): number {
    return this.#data.length - this.at;
  }

  #advance(length: number): number {
    if (length < 0 || this.at + length > this.#data.length) throw new RangeError('past the end of the data');
    const start = this.at;
    this.at += length;
    return start;
  }

  u8(): number {
    return this.#view.getUint8(this.#advance(1));
  }

  i8(): number {
    return this.#view.getInt8(this.#advance(1));
  }

  u16(): number {
    return this.#view.getUint16(this.#advance(2), true);
  }

  i16(): number {
    return this.#view.getInt16(this.#advance(2), true);
  }

  u32(): number {
    return this.#view.getUint32(this.#advance(4), true);
  }

  u64(): bigint {
    return this.#view.getBigUint64(this.#advance(8), true);
  }

  i64(): bigint {
    return this.#view.getBigInt64(this.#advance(8), true);
  }

  f64(): number {
    return this.#view.getFloat64(this.#advance(8), true);
  }

  bytes(length: number): Uint8Array {
    const start = this.#advance(length);
    return this.#data.subarray(start, start + length);
  }

  address(): string {
    return encodeAddress(this.bytes(32));
  }

  /** A C-style option: a 4-byte tag, then 32 bytes that are there either way. */
  optionalAddress(): string | null {
    const isSome = this.u32() === 1;
    const address = this.address();
    return isSome ? address : null;
  }

  /** 32 bytes where all zeros mean none. */
  nonZeroAddress(): string | null {
    const address = this.address();
    return address === SYSTEM_PROGRAM ? null : address;
  }

  /** UTF-8 with a 4-byte length before it. */
  text(): string {
    return Buffer.from(this.bytes(this.u32())).toString('utf8');
  }
}
