// Reads what `ByteWriter` wrote. Records are checksummed before they come here, so running out of bytes is a fault.

import { ByteReader } from '@hunter/solana/byte-reader';
import { encodeAddress } from './address-text.ts';

export class RecordReader extends ByteReader<Buffer> {
  /** A whole number of any size, seven bits a byte. */
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

  sized(): Buffer {
    return this.take(this.count());
  }

  text(): string {
    return this.sized().toString('utf8');
  }

  address(): string {
    return encodeAddress(this.take(32));
  }
}
