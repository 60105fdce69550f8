// Reads a transaction from the wire with every check Solana's sanitizer makes. The virtual machine aborts the whole
// process on bytes it cannot read, so nothing reaches it that did not pass here.

import { encodeBase58 } from '@hunter/solana/base58';
import { encodeAddress } from './address-text.ts';

export type WireInstruction = { programIdIndex: number; accounts: Uint8Array; data: Uint8Array };
type WireLookup = { table: string; writable: Uint8Array; readonly: Uint8Array };

export type WireTransaction = {
  bytes: Uint8Array;
  /** Offset of the message in `bytes`: what the signatures sign. */
  messageOffset: number;
  /** The first signature, which names the transaction; empty for a bare message. */
  signature: string;
  signatureCount: number;
  version: 'legacy' | 0;
  numRequiredSignatures: number;
  numReadonlySigned: number;
  numReadonlyUnsigned: number;
  staticKeys: string[];
  staticKeyBytes: Uint8Array[];
  blockhash: string;
  instructions: WireInstruction[];
  lookups: WireLookup[];
};

export const PACKET_BYTES_MAX = 1232;

export class WireError extends Error {}

class Reader {
  readonly bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  byte(): number {
    const value = this.bytes[this.at];
    if (value === undefined) throw new WireError('io error: unexpected end of file');
    this.at += 1;
    return value;
  }

  take(length: number): Uint8Array {
    if (this.at + length > this.bytes.length) throw new WireError('io error: unexpected end of file');
    const part = this.bytes.subarray(this.at, this.at + length);
    this.at += length;
    return part;
  }

  /** A canonical compact-u16: an encoding longer than needed is refused, as Solana does. */
  length(): number {
    const first = this.byte();
    if (first < 0x80) return first;
    const second = this.byte();
    if (second < 0x80) {
      if (second === 0) throw new WireError('alias encoding');
      return (first & 0x7f) | (second << 7);
    }
    const third = this.byte();
    if (third === 0) throw new WireError('alias encoding');
    if (third > 3) throw new WireError('byte three continues or overflows');
    return (first & 0x7f) | ((second & 0x7f) << 7) | (third << 14);
  }
}

function readMessage(
  reader: Reader,
  signature: string,
  signatureCount: number,
  messageOffset: number,
): WireTransaction {
  const bytes = reader.bytes;
  let version: 'legacy' | 0 = 'legacy';
  let numRequiredSignatures = reader.byte();
  if (numRequiredSignatures >= 0x80) {
    if (numRequiredSignatures !== 0x80) throw new WireError('invalid message version');
    version = 0;
    numRequiredSignatures = reader.byte();
  }
  const numReadonlySigned = reader.byte();
  const numReadonlyUnsigned = reader.byte();
  const keyCount = reader.length();
  const staticKeyBytes: Uint8Array[] = [];
  for (let i = 0; i < keyCount; i += 1) staticKeyBytes.push(reader.take(32));
  const blockhash = encodeAddress(reader.take(32));
  const instructionCount = reader.length();
  const instructions: WireInstruction[] = [];
  for (let i = 0; i < instructionCount; i += 1) {
    const programIdIndex = reader.byte();
    const accounts = reader.take(reader.length());
    const data = reader.take(reader.length());
    instructions.push({ programIdIndex, accounts, data });
  }
  const lookups: WireLookup[] = [];
  if (version === 0) {
    const lookupCount = reader.length();
    for (let i = 0; i < lookupCount; i += 1) {
      const table = encodeAddress(reader.take(32));
      const writable = reader.take(reader.length());
      const readonly = reader.take(reader.length());
      lookups.push({ table, writable, readonly });
    }
  }
  return {
    bytes,
    messageOffset,
    signature,
    signatureCount,
    version,
    numRequiredSignatures,
    numReadonlySigned,
    numReadonlyUnsigned,
    staticKeys: staticKeyBytes.map(encodeAddress),
    staticKeyBytes,
    blockhash,
    instructions,
    lookups,
  };
}

/** Decodes only: what is odd but readable is for `sanitizeFault`. */
export function parseWire(bytes: Uint8Array): WireTransaction {
  const reader = new Reader(bytes);
  const signatureCount = reader.length();
  const signatures = reader.take(signatureCount * 64);
  const signature = signatureCount === 0 ? '' : encodeBase58(signatures.subarray(0, 64));
  const transaction = readMessage(reader, signature, signatureCount, reader.at);
  if (reader.at !== bytes.length) throw new WireError('trailing bytes');
  return transaction;
}

/** A message without signatures, as getFeeForMessage takes it. */
export function parseMessage(bytes: Uint8Array): WireTransaction {
  const reader = new Reader(bytes);
  const transaction = readMessage(reader, '', 0, 0);
  if (reader.at !== bytes.length) throw new WireError('trailing bytes');
  return transaction;
}

/** Solana's sanitizing rules; the answer is the reason, or null where all is well. */
export function sanitizeFault(transaction: WireTransaction): string | null {
  const { numRequiredSignatures, numReadonlySigned, numReadonlyUnsigned, staticKeys, lookups } = transaction;
  if (numRequiredSignatures === 0 || numReadonlySigned >= numRequiredSignatures) return 'index out of bounds';
  if (transaction.signatureCount !== numRequiredSignatures) return 'index out of bounds';
  if (numRequiredSignatures + numReadonlyUnsigned > staticKeys.length) return 'index out of bounds';
  let loaded = 0;
  for (const lookup of lookups) {
    const count = lookup.writable.length + lookup.readonly.length;
    if (count === 0) return 'invalid value';
    loaded += count;
  }
  const total = staticKeys.length + loaded;
  if (total > 256) return 'index out of bounds';
  for (const instruction of transaction.instructions) {
    if (instruction.programIdIndex === 0 || instruction.programIdIndex >= staticKeys.length) {
      return 'index out of bounds';
    }
    for (const index of instruction.accounts) if (index >= total) return 'index out of bounds';
  }
  return null;
}

export function isWritableStatic(transaction: WireTransaction, index: number): boolean {
  const { numRequiredSignatures, numReadonlySigned, numReadonlyUnsigned, staticKeys } = transaction;
  if (index < numRequiredSignatures) return index < numRequiredSignatures - numReadonlySigned;
  return index < staticKeys.length - numReadonlyUnsigned;
}

/** All signatures as text; few callers need more than the first. */
export function signaturesOf(transaction: WireTransaction): string[] {
  const first = transaction.messageOffset - transaction.signatureCount * 64;
  return Array.from({ length: transaction.signatureCount }, (_, i) =>
    encodeBase58(transaction.bytes.subarray(first + i * 64, first + i * 64 + 64)),
  );
}
