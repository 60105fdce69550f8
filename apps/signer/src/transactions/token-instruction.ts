import type { AccountKey } from '../account-key.ts';
import { deny } from '../denial.ts';
import type { WireInstruction } from './wire-transaction.ts';

export const TOKEN_CLOSE_ACCOUNT = 9;
export const TOKEN_TRANSFER_CHECKED = 12;
export const ATA_CREATE_IDEMPOTENT = 1;
/** Rent of a token account: exact for Token, an upper bound over the usual extensions for Token-2022. */
export const TOKEN_RENT_LAMPORTS = 2_039_280n;
export const TOKEN_2022_RENT_LAMPORTS = 2_500_000n;

const SYSTEM_TRANSFER = 2;

export function readSystemTransfer({ data, accounts }: WireInstruction): {
  from: AccountKey;
  to: AccountKey;
  lamports: bigint;
} {
  if (data.length !== 12 || data.readUInt32LE(0) !== SYSTEM_TRANSFER || accounts.length !== 2) {
    deny('INSTRUCTION', 'the system program is accepted for plain transfers only');
  }
  return { from: accounts[0]!, to: accounts[1]!, lamports: data.readBigUInt64LE(4) };
}
