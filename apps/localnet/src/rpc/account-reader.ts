// Walks over account and instruction data. Reading past the end throws a SolanaError, which callers turn into
// "cannot be parsed".

import { ByteReader } from '@hunter/solana/byte-reader';
import { SYSTEM_PROGRAM } from '@hunter/solana/program-ids';
import { encodeAddress } from '../chain/address-text.ts';

export class AccountReader extends ByteReader {
  address(): string {
    return encodeAddress(this.take(32));
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
    return Buffer.from(this.take(this.u32())).toString('utf8');
  }
}
