import { type Address, addressBytes, addressFromBytes } from './address.ts';
import { decodeBase58, encodeBase58 } from './base58.ts';
import { ByteReader, encodeCompactU16 } from './byte-reader.ts';
import type { Instruction } from './instruction.ts';
import { SolanaError } from './solana-error.ts';
import { readWireMessage } from './wire-message.ts';
import { readWireMessageV1, V1_FIRST_BYTE } from './wire-message-v1.ts';

/** What signers sign. Legacy messages have no lookups; v0 messages may. Version 1 is only read. */
export type Message = {
  version: 'legacy' | 0 | 1;
  header: { requiredSignatures: number; readonlySigned: number; readonlyUnsigned: number };
  /** Fee payer first, then the other signers, then the rest; writable before read-only within each group. */
  staticAccounts: Address[];
  recentBlockhash: string;
  instructions: CompiledInstruction[];
  lookups: AddressTableLookup[];
};

export type CompiledInstruction = { programIndex: number; accountIndexes: number[]; data: Uint8Array };
export type AddressTableLookup = { table: Address; writableIndexes: number[]; readonlyIndexes: number[] };

const ACCOUNTS_MAX = 256;

export function compileMessage(input: {
  version?: 'legacy' | 0;
  feePayer: Address;
  recentBlockhash: string;
  instructions: readonly Instruction[];
}): Message {
  const roles = new Map<Address, { signer: boolean; writable: boolean }>();
  roles.set(input.feePayer, { signer: true, writable: true });
  const require = (key: Address, signer: boolean, writable: boolean): void => {
    const role = roles.get(key);
    if (role === undefined) roles.set(key, { signer, writable });
    else {
      role.signer ||= signer;
      role.writable ||= writable;
    }
  };
  for (const instruction of input.instructions) {
    for (const account of instruction.accounts) require(account.address, account.signer, account.writable);
    require(instruction.program, false, false);
  }

  const entries = [...roles];
  const pick = (signer: boolean, writable: boolean): Address[] =>
    entries.filter(([, role]) => role.signer === signer && role.writable === writable).map(([key]) => key);
  const writableSigners = pick(true, true);
  const readonlySigners = pick(true, false);
  const readonlyOthers = pick(false, false);
  const staticAccounts = [...writableSigners, ...readonlySigners, ...pick(false, true), ...readonlyOthers];
  if (staticAccounts.length > ACCOUNTS_MAX) throw new SolanaError('MESSAGE_INVALID', { reason: 'too many accounts' });
  const indexes = new Map(staticAccounts.map((key, index) => [key, index]));

  return {
    version: input.version ?? 'legacy',
    header: {
      requiredSignatures: writableSigners.length + readonlySigners.length,
      readonlySigned: readonlySigners.length,
      readonlyUnsigned: readonlyOthers.length,
    },
    staticAccounts,
    recentBlockhash: input.recentBlockhash,
    instructions: input.instructions.map((instruction) => ({
      programIndex: indexes.get(instruction.program)!,
      accountIndexes: instruction.accounts.map((account) => indexes.get(account.address)!),
      data: instruction.data,
    })),
    lookups: [],
  };
}

export function encodeMessage(message: Message): Uint8Array {
  if (message.version === 1) throw new SolanaError('MESSAGE_INVALID', { reason: 'version 1 is only read' });
  const parts: Uint8Array[] = [];
  const { header } = message;
  const head = [header.requiredSignatures, header.readonlySigned, header.readonlyUnsigned];
  if (message.version === 0) head.unshift(0x80);
  parts.push(Uint8Array.from([...head, ...encodeCompactU16(message.staticAccounts.length)]));
  for (const key of message.staticAccounts) parts.push(addressBytes(key));
  const blockhash = decodeBase58(message.recentBlockhash);
  if (blockhash.length !== 32) throw new SolanaError('MESSAGE_INVALID', { reason: 'blockhash is not 32 bytes' });
  parts.push(blockhash, Uint8Array.from(encodeCompactU16(message.instructions.length)));
  for (const instruction of message.instructions) {
    parts.push(
      Uint8Array.from([
        instruction.programIndex,
        ...encodeCompactU16(instruction.accountIndexes.length),
        ...instruction.accountIndexes,
        ...encodeCompactU16(instruction.data.length),
      ]),
      instruction.data,
    );
  }
  if (message.version === 0) {
    parts.push(Uint8Array.from(encodeCompactU16(message.lookups.length)));
    for (const lookup of message.lookups) {
      parts.push(
        addressBytes(lookup.table),
        Uint8Array.from([
          ...encodeCompactU16(lookup.writableIndexes.length),
          ...lookup.writableIndexes,
          ...encodeCompactU16(lookup.readonlyIndexes.length),
          ...lookup.readonlyIndexes,
        ]),
      );
    }
  } else if (message.lookups.length > 0) {
    throw new SolanaError('MESSAGE_INVALID', { reason: 'a legacy message has no lookup tables' });
  }
  return Buffer.concat(parts);
}

export function decodeMessage(bytes: Uint8Array): Message {
  const reader = new ByteReader(bytes);
  const wire = bytes[0] === V1_FIRST_BYTE ? readWireMessageV1(reader) : readWireMessage(reader);
  reader.expectEnd();
  const message: Message = {
    version: wire.version,
    header: {
      requiredSignatures: wire.numRequiredSignatures,
      readonlySigned: wire.numReadonlySigned,
      readonlyUnsigned: wire.numReadonlyUnsigned,
    },
    staticAccounts: wire.staticKeys.map(addressFromBytes),
    recentBlockhash: encodeBase58(wire.blockhash),
    instructions: wire.instructions.map(({ programIdIndex, accounts, data }) => ({
      programIndex: programIdIndex,
      accountIndexes: [...accounts],
      data: Uint8Array.from(data),
    })),
    lookups: wire.lookups.map(({ table, writable, readonly }) => ({
      table: addressFromBytes(table),
      writableIndexes: [...writable],
      readonlyIndexes: [...readonly],
    })),
  };
  checkMessage(message);
  return message;
}

function checkMessage(message: Message): void {
  const { header, staticAccounts } = message;
  const loaded = message.lookups.reduce(
    (sum, lookup) => sum + lookup.writableIndexes.length + lookup.readonlyIndexes.length,
    0,
  );
  const accounts = staticAccounts.length + loaded;
  const invalid = (reason: string): never => {
    throw new SolanaError('MESSAGE_INVALID', { reason });
  };
  if (header.requiredSignatures < 1) invalid('no signer');
  if (header.readonlySigned >= header.requiredSignatures) invalid('the fee payer must be writable');
  if (header.requiredSignatures + header.readonlyUnsigned > staticAccounts.length)
    invalid('header exceeds the accounts');
  if (accounts > ACCOUNTS_MAX) invalid('too many accounts');
  for (const instruction of message.instructions) {
    if (instruction.programIndex >= staticAccounts.length) invalid('program outside of the static accounts');
    if (instruction.accountIndexes.some((index) => index >= accounts)) invalid('account index out of range');
  }
}
