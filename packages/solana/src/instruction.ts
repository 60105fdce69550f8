import type { Address } from './address.ts';

export type AccountRole = { address: Address; signer: boolean; writable: boolean };
export type Instruction = { program: Address; accounts: AccountRole[]; data: Uint8Array };

export function readonlyAccount(address: Address): AccountRole {
  return { address, signer: false, writable: false };
}

export function writableAccount(address: Address): AccountRole {
  return { address, signer: false, writable: true };
}

export function readonlySigner(address: Address): AccountRole {
  return { address, signer: true, writable: false };
}

export function writableSigner(address: Address): AccountRole {
  return { address, signer: true, writable: true };
}
