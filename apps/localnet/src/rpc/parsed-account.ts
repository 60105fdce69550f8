// The `jsonParsed` form of the accounts that wallets and products read: token accounts, mints and multisigs of both
// token programs, lookup tables and durable nonces. Anything else is null and goes out as base64.

import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '@hunter/solana/program-ids';
import type { Account } from '../chain/chain.ts';
import { LOOKUP_TABLE_PROGRAM } from '../chain/program-addresses.ts';
import { isMint, isTokenAccount, mintDecimals } from '../chain/token-state.ts';
import { AccountReader } from './account-reader.ts';
import { parseExtensions } from './token-extensions.ts';
import { uiTokenAmount } from './token-amount.ts';

type ReadAccount = (address: string) => Account | null;
type ParsedData = { program: string; parsed: { type: string; info: object }; space: number };

const MULTISIG_BYTES = 355;
const TOKEN_HEAD_BYTES = 165;
const STATES = ['uninitialized', 'initialized', 'frozen'];

function tokenAccount(account: Account, read: ReadAccount): { type: string; info: object } | null {
  const cursor = new AccountReader(account.data);
  const mint = cursor.address();
  const owner = cursor.address();
  const amount = cursor.u64();
  const delegate = cursor.optionalAddress();
  const state = STATES[cursor.u8()] ?? 'uninitialized';
  const isNative = cursor.u32() === 1;
  const rentReserve = cursor.u64();
  const delegatedAmount = cursor.u64();
  const closeAuthority = cursor.optionalAddress();
  const mintData = read(mint);
  const decimals = mintData === null ? (mint === WRAPPED_SOL_MINT ? 9 : null) : mintDecimals(mintData.data);
  // Amounts cannot be printed without the mint's decimals; real nodes fall back to base64 then.
  if (decimals === null) return null;
  const extensions = account.owner === TOKEN_2022_PROGRAM ? parseExtensions(account.data) : [];
  return {
    type: 'account',
    info: {
      ...(closeAuthority === null ? {} : { closeAuthority }),
      ...(delegate === null ? {} : { delegate, delegatedAmount: uiTokenAmount(delegatedAmount, decimals) }),
      ...(extensions.length === 0 ? {} : { extensions }),
      isNative,
      mint,
      owner,
      ...(isNative ? { rentExemptReserve: uiTokenAmount(rentReserve, decimals) } : {}),
      state,
      tokenAmount: uiTokenAmount(amount, decimals),
    },
  };
}

function mint(account: Account): { type: string; info: object } {
  const cursor = new AccountReader(account.data);
  const mintAuthority = cursor.optionalAddress();
  const supply = cursor.u64();
  const decimals = cursor.u8();
  const isInitialized = cursor.u8() === 1;
  const freezeAuthority = cursor.optionalAddress();
  const extensions = account.owner === TOKEN_2022_PROGRAM ? parseExtensions(account.data) : [];
  return {
    type: 'mint',
    info: {
      decimals,
      ...(extensions.length === 0 ? {} : { extensions }),
      freezeAuthority,
      isInitialized,
      mintAuthority,
      supply: supply.toString(),
    },
  };
}

function multisig(account: Account): { type: string; info: object } {
  const cursor = new AccountReader(account.data);
  const numRequiredSigners = cursor.u8();
  const numValidSigners = cursor.u8();
  const isInitialized = cursor.u8() === 1;
  const signers: string[] = [];
  for (let i = 0; i < Math.min(numValidSigners, 11); i += 1) signers.push(cursor.address());
  return { type: 'multisig', info: { isInitialized, numRequiredSigners, numValidSigners, signers } };
}

function lookupTable(account: Account): { type: string; info: object } | null {
  const cursor = new AccountReader(account.data);
  if (cursor.u32() !== 1) return null;
  const deactivationSlot = cursor.u64().toString();
  const lastExtendedSlot = cursor.u64().toString();
  const lastExtendedSlotStartIndex = cursor.u8();
  const hasAuthority = cursor.u8() === 1;
  const authority = cursor.address();
  cursor.skip(2);
  const addresses: string[] = [];
  while (cursor.left >= 32) addresses.push(cursor.address());
  const info = { addresses, deactivationSlot, lastExtendedSlot, lastExtendedSlotStartIndex };
  return { type: 'lookupTable', info: hasAuthority ? { ...info, authority } : info };
}

function nonce(account: Account): { type: string; info: object } | null {
  const cursor = new AccountReader(account.data);
  cursor.u32();
  if (cursor.u32() !== 1) return null;
  return {
    type: 'initialized',
    info: {
      authority: cursor.address(),
      blockhash: cursor.address(),
      feeCalculator: { lamportsPerSignature: cursor.u64().toString() },
    },
  };
}

function parsedBy(account: Account, read: ReadAccount): [string, { type: string; info: object } | null] | null {
  const { owner, data } = account;
  if (owner === TOKEN_PROGRAM || owner === TOKEN_2022_PROGRAM) {
    const program = owner === TOKEN_PROGRAM ? 'spl-token' : 'spl-token-2022';
    if (data.length === MULTISIG_BYTES) return [program, multisig(account)];
    if (isMint(account)) return [program, mint(account)];
    if (data.length >= TOKEN_HEAD_BYTES && isTokenAccount(account)) return [program, tokenAccount(account, read)];
    return null;
  }
  if (owner === LOOKUP_TABLE_PROGRAM && data.length >= 56) return ['address-lookup-table', lookupTable(account)];
  if (owner === SYSTEM_PROGRAM && data.length === 80) return ['nonce', nonce(account)];
  return null;
}

export function parseAccountData(account: Account, read: ReadAccount): ParsedData | null {
  const found = parsedBy(account, read);
  if (found === null || found[1] === null) return null;
  return { program: found[0], parsed: found[1], space: account.data.length };
}
