// The fixed heads of token accounts and mints, the same for Token and Token-2022.

import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '@hunter/solana/program-ids';
import { encodeAddress } from './address-text.ts';
import type { Account, TokenBalance } from './chain.ts';

const TOKEN_ACCOUNT_BYTES = 165;
export const MINT_BYTES = 82;
const KIND_MINT = 1;
const KIND_TOKEN_ACCOUNT = 2;

export function isTokenProgram(owner: string): boolean {
  return owner === TOKEN_PROGRAM || owner === TOKEN_2022_PROGRAM;
}

/** True for an initialised token account; Token-2022 accounts with extensions carry their kind after byte 165. */
export function isTokenAccount(account: Account): boolean {
  const { data, owner } = account;
  if (owner === TOKEN_PROGRAM) return data.length === TOKEN_ACCOUNT_BYTES && data[108] !== 0;
  if (owner !== TOKEN_2022_PROGRAM || data.length < TOKEN_ACCOUNT_BYTES || data[108] === 0) return false;
  return data.length === TOKEN_ACCOUNT_BYTES || data[TOKEN_ACCOUNT_BYTES] === KIND_TOKEN_ACCOUNT;
}

export function isMint(account: Account): boolean {
  const { data, owner } = account;
  if (owner === TOKEN_PROGRAM) return data.length === MINT_BYTES && data[45] === 1;
  if (owner !== TOKEN_2022_PROGRAM || data.length < MINT_BYTES || data[45] !== 1) return false;
  return data.length === MINT_BYTES || (data.length > TOKEN_ACCOUNT_BYTES && data[TOKEN_ACCOUNT_BYTES] === KIND_MINT);
}

function view(data: Uint8Array): DataView {
  return new DataView(data.buffer, data.byteOffset, data.byteLength);
}

export function tokenMint(data: Uint8Array): string {
  return encodeAddress(data.subarray(0, 32));
}

export function tokenOwner(data: Uint8Array): string {
  return encodeAddress(data.subarray(32, 64));
}

export function tokenAmount(data: Uint8Array): bigint {
  return view(data).getBigUint64(64, true);
}

export function mintDecimals(data: Uint8Array): number {
  return data[44]!;
}

export function mintSupply(data: Uint8Array): bigint {
  return view(data).getBigUint64(36, true);
}

/** Of those of the accounts that hold tokens, as transactions show them before and after. */
export function tokenBalances(keys: readonly string[], read: (address: string) => Account | null): TokenBalance[] {
  const balances: TokenBalance[] = [];
  keys.forEach((key, accountIndex) => {
    const account = read(key);
    if (account === null || !isTokenAccount(account)) return;
    const mint = tokenMint(account.data);
    const mintAccount = read(mint);
    if (mintAccount === null) return;
    balances.push({
      accountIndex,
      mint,
      owner: tokenOwner(account.data),
      programId: account.owner,
      amount: tokenAmount(account.data),
      decimals: mintDecimals(mintAccount.data),
    });
  });
  return balances;
}
