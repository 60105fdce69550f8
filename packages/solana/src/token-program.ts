import type { Address } from './address.ts';
import { associatedTokenAddress } from './associated-token-address.ts';
import { type Instruction, readonlyAccount, readonlySigner, writableAccount, writableSigner } from './instruction.ts';
import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } from './program-ids.ts';
import { writeU64 } from './u64.ts';

const CLOSE_ACCOUNT = 9;
const TRANSFER_CHECKED = 12;
const CREATE_IDEMPOTENT = 1;

/** Works for Token and Token-2022; `references` are appended read-only so that the transaction can be found by them. */
export function transferChecked(input: {
  source: Address;
  mint: Address;
  destination: Address;
  owner: Address;
  amount: bigint;
  decimals: number;
  tokenProgram?: Address;
  references?: readonly Address[];
}): Instruction {
  const data = new Uint8Array(10);
  data[0] = TRANSFER_CHECKED;
  writeU64(data, 1, input.amount);
  data[9] = input.decimals;
  return {
    program: input.tokenProgram ?? TOKEN_PROGRAM,
    accounts: [
      writableAccount(input.source),
      readonlyAccount(input.mint),
      writableAccount(input.destination),
      readonlySigner(input.owner),
      ...(input.references ?? []).map(readonlyAccount),
    ],
    data,
  };
}

/** Creates the owner's associated token account where it is missing, and does nothing where it exists. */
export function createAssociatedTokenAccountIdempotent(input: {
  payer: Address;
  owner: Address;
  mint: Address;
  tokenProgram?: Address;
}): Instruction {
  const tokenProgram = input.tokenProgram ?? TOKEN_PROGRAM;
  return {
    program: ASSOCIATED_TOKEN_PROGRAM,
    accounts: [
      writableSigner(input.payer),
      writableAccount(associatedTokenAddress(input.owner, input.mint, tokenProgram)),
      readonlyAccount(input.owner),
      readonlyAccount(input.mint),
      readonlyAccount(SYSTEM_PROGRAM),
      readonlyAccount(tokenProgram),
    ],
    data: Uint8Array.of(CREATE_IDEMPOTENT),
  };
}

/** Closes an empty token account; its rent goes to `destination`. */
export function closeTokenAccount(input: {
  account: Address;
  destination: Address;
  owner: Address;
  tokenProgram?: Address;
}): Instruction {
  return {
    program: input.tokenProgram ?? TOKEN_PROGRAM,
    accounts: [writableAccount(input.account), writableAccount(input.destination), readonlySigner(input.owner)],
    data: Uint8Array.of(CLOSE_ACCOUNT),
  };
}
