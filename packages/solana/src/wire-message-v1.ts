import type { ByteReader } from './byte-reader.ts';
import { SolanaError } from './solana-error.ts';
import type { WireMessage } from './wire-message.ts';

// Version 1 (SIMD-0385): sizes first, payloads behind all headers, no lookup tables, and the signatures follow the message. It is
// read so that deposits sent this way count; nothing here writes it.

export const V1_FIRST_BYTE = 0x81;

export type WireMessageV1 = Omit<WireMessage, 'version'> & { version: 1 };

export function readWireMessageV1(reader: ByteReader): WireMessageV1 {
  if (reader.u8() !== V1_FIRST_BYTE) throw new SolanaError('MESSAGE_INVALID', { reason: 'unknown message version' });
  const numRequiredSignatures = reader.u8();
  const numReadonlySigned = reader.u8();
  const numReadonlyUnsigned = reader.u8();
  const configMask = reader.u32();
  const blockhash = reader.take(32);
  const instructionCount = reader.u8();
  const keyCount = reader.u8();
  const staticKeys = Array.from({ length: keyCount }, () => reader.take(32));
  // Every bit of the mask stands for four bytes; a value of eight has two of them.
  reader.skip(4 * bitsIn(configMask));
  const headers = Array.from({ length: instructionCount }, () => ({
    programIdIndex: reader.u8(),
    accountCount: reader.u8(),
    dataLength: reader.u16(),
  }));
  const instructions = headers.map(({ programIdIndex, accountCount, dataLength }) => ({
    programIdIndex,
    accounts: reader.take(accountCount),
    data: reader.take(dataLength),
  }));
  return {
    version: 1,
    numRequiredSignatures,
    numReadonlySigned,
    numReadonlyUnsigned,
    staticKeys,
    blockhash,
    instructions,
    lookups: [],
  };
}

function bitsIn(mask: number): number {
  let count = 0;
  for (let left = mask >>> 0; left !== 0; left >>>= 1) count += left & 1;
  return count;
}
