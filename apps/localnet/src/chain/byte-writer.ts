// A buffer that grows, reused from record to record: encoding runs for every transaction.

import { addressBytes } from './address-text.ts';

export class ByteWriter {
  #buffer = Buffer.allocUnsafe(64 * 1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** A view that is valid until the next write. */
  view(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  copy(): Buffer {
    return Buffer.from(this.view());
  }

  reset(): void {
    this.#length = 0;
  }

  #reserve(bytes: number): number {
    const at = this.#length;
    this.#length += bytes;
    if (this.#length > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#buffer.length * 2, this.#length));
      this.#buffer.copy(larger, 0, 0, at);
      this.#buffer = larger;
    }
    return at;
  }

  u8(value: number): void {
    const at = this.#reserve(1);
    this.#buffer[at] = value;
  }

  u32(value: number): void {
    const at = this.#reserve(4);
    this.#buffer.writeUInt32LE(value, at);
  }

  u64(value: bigint): void {
    const at = this.#reserve(8);
    this.#buffer.writeBigUInt64LE(value, at);
  }

  /** Seven bits a byte, low ones first. */
  count(value: number): void {
    let rest = value;
    while (rest >= 0x80) {
      this.u8((rest % 0x80) | 0x80);
      rest = Math.floor(rest / 0x80);
    }
    this.u8(rest);
  }

  bytes(value: Uint8Array): void {
    const at = this.#reserve(value.length);
    this.#buffer.set(value, at);
  }

  sized(value: Uint8Array): void {
    this.count(value.length);
    this.bytes(value);
  }

  text(value: string): void {
    const length = Buffer.byteLength(value, 'utf8');
    this.count(length);
    const at = this.#reserve(length);
    this.#buffer.write(value, at, length, 'utf8');
  }

  address(value: string): void {
    this.bytes(addressBytes(value));
  }
}
