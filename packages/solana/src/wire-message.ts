import type { ByteReader } from './byte-reader.ts';
import { SolanaError } from './solana-error.ts';

export type WireInstruction = { programIdIndex: number; accounts: Uint8Array; data: Uint8Array };
export type WireLookup = { table: Uint8Array; writable: Uint8Array; readonly: Uint8Array };

/** A message as its bytes say, without copies: every array is a view of what was read. */
export type WireMessage = {
  version: 'legacy' | 0;
  numRequiredSignatures: number;
  numReadonlySigned: number;
  numReadonlyUnsigned: number;
  staticKeys: Uint8Array[];
  blockhash: Uint8Array;
  instructions: WireInstruction[];
  lookups: WireLookup[];
};

/** Decodes only: what is readable but makes no sense is for the caller to refuse. */
export function readWireMessage(reader: ByteReader): WireMessage {
  let version: WireMessage['version'] = 'legacy';
  let numRequiredSignatures = reader.u8();
  if (numRequiredSignatures >= 0x80) {
    if (numRequiredSignatures !== 0x80) throw new SolanaError('MESSAGE_INVALID', { reason: 'unknown message version' });
    version = 0;
    numRequiredSignatures = reader.u8();
  }
  const numReadonlySigned = reader.u8();
  const numReadonlyUnsigned = reader.u8();
  const keyCount = reader.compactU16();
  const staticKeys: Uint8Array[] = [];
  for (let index = 0; index < keyCount; index += 1) staticKeys.push(reader.take(32));
  const blockhash = reader.take(32);
  const instructionCount = reader.compactU16();
  const instructions: WireInstruction[] = [];
  for (let index = 0; index < instructionCount; index += 1) {
    const programIdIndex = reader.u8();
    const accounts = reader.take(reader.compactU16());
    const data = reader.take(reader.compactU16());
    instructions.push({ programIdIndex, accounts, data });
  }
  const lookups: WireLookup[] = [];
  if (version === 0) {
    const lookupCount = reader.compactU16();
    for (let index = 0; index < lookupCount; index += 1) {
      const table = reader.take(32);
      const writable = reader.take(reader.compactU16());
      const readonly = reader.take(reader.compactU16());
      lookups.push({ table, writable, readonly });
    }
  }
  return {
    version,
    numRequiredSignatures,
    numReadonlySigned,
    numReadonlyUnsigned,
    staticKeys,
    blockhash,
    instructions,
    lookups,
  };
}
