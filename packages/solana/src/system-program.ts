import type { Address } from './address.ts';
import { type Instruction, writableAccount, writableSigner } from './instruction.ts';
import { SYSTEM_PROGRAM } from './program-ids.ts';
import { readU64, writeU64 } from './u64.ts';

const TRANSFER = 2;

export function transferSol(input: { from: Address; to: Address; lamports: bigint }): Instruction {
  const data = new Uint8Array(12);
  data[0] = TRANSFER;
  writeU64(data, 4, input.lamports);
  return { program: SYSTEM_PROGRAM, accounts: [writableSigner(input.from), writableAccount(input.to)], data };
}

/** The lamports of a System transfer, or null when the data is any other instruction. */
export function decodeTransferSol(data: Uint8Array): { lamports: bigint } | null {
  if (data.length !== 12 || data[0] !== TRANSFER || data[1] !== 0 || data[2] !== 0 || data[3] !== 0) return null;
  return { lamports: readU64(data, 4) };
}
