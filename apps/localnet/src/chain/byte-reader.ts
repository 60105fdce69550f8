// Reads what `ByteWriter` wrote. Records are checksummed before they come here, so running out of bytes is a fault.

import { encodeAddress } from './address-text.ts';

export class ByteReader {
  readonly #buffer: Buffer;
  at: number;

  constructor(buffer: Buffer, at = 0) {
    this.#buffer = buffer;
    this.at = at;
  }

  get left(): number {
    return this.#buffer.length - this.at;
  }

  u8(): number {
    const value = this.#buffer.readUInt8(this.at);
    this.at += 1;
    return value;
  }

  u32(): number {
    const value = this.#buffer.readUInt32LE(this.at);
    this.at += 4;
    return value;
  }

  u64(): bigint {
    const value = this.#buffer.readBigUInt64LE(this.at);
    this.at += 8;
    return value;
  }

  count(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.u8();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
      scale *= 0x80;
    }
  }

  /** A view into the record. */
  bytes(length: number): Buffer {
    if (length > this.left) throw new RangeError('the record is shorter than it says');
    const part = this.#buffer.subarray(this.at, this.at + length);
    this.at += length;
    return part;
  }

  sized(): Buffer {
    return this.bytes(this.count());
  }

  text(): string {
    return this.sized().toString('utf8');
  }

  address(): string {
    return encodeAddress(this.bytes(32));
  }
}
