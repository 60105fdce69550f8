import { type AccountKey, accountKey } from '../account-key.ts';
import { deny } from '../denial.ts';

/** A transaction as the signer reads it from the bytes it is about to sign, every index checked. */
export type WireTransaction = {
  wire: Buffer;
  message: Buffer;
  /** Where the signature slots start; each is 64 bytes. */
  signaturesOffset: number;
  requiredSignatures: number;
  readonlySigned: number;
  readonlyUnsigned: number;
  keys: AccountKey[];
  instructions: WireInstruction[];
};

export type WireInstruction = { program: AccountKey; accounts: AccountKey[]; data: Buffer };

const WIRE_BYTES_MAX = 1232;

export function readWireTransaction(base64: string): WireTransaction {
  if (base64.length > 2000) malformed('not base64 of a transaction');
  const wire = Buffer.from(base64, 'base64');
  // Written again it is the same text, or it was not base64 throughout.
  if (wire.toString('base64') !== base64) malformed('not base64 of a transaction');
  if (wire.length > WIRE_BYTES_MAX) malformed('longer than a packet');
  let offset = 0;

  /** Where the next `count` bytes begin. Views are made only where they are kept: they cost more than the reading. */
  const skip = (count: number): number => {
    if (offset + count > wire.length) malformed('cut short');
    offset += count;
    return offset - count;
  };
  const byte = (): number => wire[skip(1)]!;
  const data = (): Buffer => {
    const count = length();
    const start = skip(count);
    return wire.subarray(start, start + count);
  };
  const indexes = (): number[] => {
    const count = length();
    const start = skip(count);
    const found: number[] = [];
    for (let at = start; at < start + count; at += 1) found.push(wire[at]!);
    return found;
  };
  const length = (): number => {
    let value = 0;
    for (let index = 0; index < 3; index += 1) {
      const part = byte();
      value |= (part & 0x7f) << (7 * index);
      if (part < 0x80) {
        if (index > 0 && part === 0) malformed('a length in a longer form than needed');
        return value;
      }
    }
    return malformed('a length of more than three bytes');
  };

  const signatureCount = length();
  const signaturesOffset = offset;
  skip(signatureCount * 64);
  const messageOffset = offset;

  let requiredSignatures = byte();
  const isVersioned = requiredSignatures >= 0x80;
  if (isVersioned) {
    if (requiredSignatures !== 0x80) malformed('unknown message version');
    requiredSignatures = byte();
  }
  const readonlySigned = byte();
  const readonlyUnsigned = byte();
  const keyCount = length();
  const keys: AccountKey[] = [];
  for (let index = 0; index < keyCount; index += 1) keys.push(accountKey(wire, skip(32)));
  skip(32);

  const compiled: { programIndex: number; accounts: number[]; data: Buffer }[] = [];
  const instructionCount = length();
  for (let index = 0; index < instructionCount; index += 1) {
    compiled.push({ programIndex: byte(), accounts: indexes(), data: data() });
  }
  // An account out of a lookup table could be anything by the time the transaction runs.
  if (isVersioned && length() > 0) deny('LOOKUP_TABLE', 'lookup tables are not accepted');
  if (offset !== wire.length) malformed('bytes after the end');

  if (signatureCount !== requiredSignatures || requiredSignatures < 1) malformed('signature count');
  if (readonlySigned >= requiredSignatures) malformed('no writable signer');
  if (requiredSignatures + readonlyUnsigned > keyCount) malformed('header exceeds the accounts');
  if (new Set(keys).size !== keys.length) malformed('an account listed twice');
  const instructions = compiled.map(({ programIndex, accounts, data }) => {
    const program = keys[programIndex];
    if (program === undefined || programIndex === 0) return malformed('program index');
    return { program, accounts: accounts.map((index) => keys[index] ?? malformed('account index')), data };
  });
  return {
    wire,
    message: wire.subarray(messageOffset),
    signaturesOffset,
    requiredSignatures,
    readonlySigned,
    readonlyUnsigned,
    keys,
    instructions,
  };
}

function malformed(reason: string): never {
  deny('TRANSACTION_MALFORMED', reason);
}
