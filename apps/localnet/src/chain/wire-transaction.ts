// Reads a transaction from the wire with every check Solana's sanitizer makes. The virtual machine aborts the whole
// process on bytes it cannot read, so nothing reaches it that did not pass here.

import { encodeBase58 } from '@hunter/solana/base58';
import { ByteReader } from '@hunter/solana/byte-reader';
import { SolanaError, type SolanaErrorCode } from '@hunter/solana/solana-error';
import { readWireMessage, type WireInstruction } from '@hunter/solana/wire-message';
import { encodeAddress } from './address-text.ts';

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
  blockhash: string;
  instructions: WireInstruction[];
  lookups: WireLookup[];
};

export const PACKET_BYTES_MAX = 1232;

export class WireError extends Error {}

/** In the words of Solana's own decoder, which clients show. */
const SAID_BY_SOLANA: Partial<Record<SolanaErrorCode, string>> = {
  BYTES_ENDED: 'io error: unexpected end of file',
  BYTES_LEFT_OVER: 'trailing bytes',
  COMPACT_U16_INVALID: 'alias encoding',
  MESSAGE_INVALID: 'invalid message version',
};

/** Decodes only: what is odd but readable is for `sanitizeFault`. */
export function parseWire(bytes: Uint8Array): WireTransaction {
  return parse(bytes, true);
}

/** A message without signatures, as getFeeForMessage takes it. */
export function parseMessage(bytes: Uint8Array): WireTransaction {
  return parse(bytes, false);
}

function parse(bytes: Uint8Array, isSigned: boolean): WireTransaction {
  try {
    const reader = new ByteReader(bytes);
    const signatureCount = isSigned ? reader.compactU16() : 0;
    const signatures = reader.take(signatureCount * 64);
    const messageOffset = reader.offset;
    const message = readWireMessage(reader);
    reader.expectEnd();
    return {
      bytes,
      messageOffset,
      signature: signatureCount === 0 ? '' : encodeBase58(signatures.subarray(0, 64)),
      signatureCount,
      version: message.version,
      numRequiredSignatures: message.numRequiredSignatures,
      numReadonlySigned: message.numReadonlySigned,
      numReadonlyUnsigned: message.numReadonlyUnsigned,
      staticKeys: message.staticKeys.map(encodeAddress),
      blockhash: encodeBase58(message.blockhash),
      instructions: message.instructions,
      lookups: message.lookups.map((lookup) => ({ ...lookup, table: encodeAddress(lookup.table) })),
    };
  } catch (error) {
    const said = error instanceof SolanaError ? SAID_BY_SOLANA[(error as SolanaError).code] : undefined;
    throw said === undefined ? error : new WireError(said);
  }
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
