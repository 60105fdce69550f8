// The `jsonParsed` form of instructions: System, both token programs, associated token accounts and memos. Others go
// out with their accounts and raw data, as nodes do for programs they do not know.

import { SolanaError } from '@hunter/solana/solana-error';
import { encodeBase58 } from '@hunter/solana/base58';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@hunter/solana/program-ids';
import { MEMO_PROGRAM } from '@hunter/solana/program-ids';
import { MEMO_PROGRAM_V1 } from '../chain/program-addresses.ts';
import { AccountReader } from './account-reader.ts';
import { jsonInteger } from './json-number.ts';
import { uiTokenAmount } from './token-amount.ts';

type RawInstruction = { programIdIndex: number; accounts: ArrayLike<number>; data: Uint8Array };
type Parsed = { type: string; info: object };

function systemText(cursor: AccountReader): string {
  const length = Number(cursor.u64());
  return Buffer.from(cursor.take(length)).toString('utf8');
}

function parseSystem(data: Uint8Array, keys: string[]): Parsed | null {
  const cursor = new AccountReader(data);
  const [first, second, third] = keys;
  switch (cursor.u32()) {
    case 0: {
      const info = { source: first, newAccount: second };
      const [lamports, space, owner] = [cursor.u64(), cursor.u64(), cursor.address()];
      return {
        type: 'createAccount',
        info: { ...info, lamports: jsonInteger(lamports), owner, space: jsonInteger(space) },
      };
    }
    case 1:
      return { type: 'assign', info: { account: first, owner: cursor.address() } };
    case 2:
      return { type: 'transfer', info: { destination: second, lamports: jsonInteger(cursor.u64()), source: first } };
    case 3: {
      const base = cursor.address();
      const seed = systemText(cursor);
      const [lamports, space, owner] = [cursor.u64(), cursor.u64(), cursor.address()];
      const info = { source: first, newAccount: second, base, seed };
      return {
        type: 'createAccountWithSeed',
        info: { ...info, lamports: jsonInteger(lamports), space: jsonInteger(space), owner },
      };
    }
    case 4:
      return {
        type: 'advanceNonce',
        info: { nonceAccount: first, recentBlockhashesSysvar: second, nonceAuthority: third },
      };
    case 5:
      return {
        type: 'withdrawFromNonce',
        info: {
          nonceAccount: first,
          destination: second,
          nonceAuthority: keys[4],
          lamports: jsonInteger(cursor.u64()),
        },
      };
    case 6:
      return { type: 'initializeNonce', info: { nonceAccount: first, nonceAuthority: cursor.address() } };
    case 7:
      return {
        type: 'authorizeNonce',
        info: { nonceAccount: first, nonceAuthority: second, newAuthorized: cursor.address() },
      };
    case 8:
      return { type: 'allocate', info: { account: first, space: jsonInteger(cursor.u64()) } };
    case 11: {
      const lamports = cursor.u64();
      const sourceSeed = systemText(cursor);
      const info = {
        source: first,
        sourceBase: second,
        destination: third,
        lamports: jsonInteger(lamports),
        sourceSeed,
      };
      return { type: 'transferWithSeed', info: { ...info, sourceOwner: cursor.address() } };
    }
    default:
      return null;
  }
}

/** A single signer, or a multisig and those who signed for it. */
function authority(name: string, keys: string[], at: number): object {
  if (keys.length <= at + 1) return { [name]: keys[at] };
  return { [`multisig${name[0]!.toUpperCase()}${name.slice(1)}`]: keys[at], signers: keys.slice(at + 1) };
}

const AUTHORITY_TYPES = [
  'mintTokens',
  'freezeAccount',
  'accountOwner',
  'closeAccount',
  'transferFeeConfig',
  'withheldWithdraw',
  'closeMint',
  'interestRate',
  'permanentDelegate',
  'confidentialTransferMint',
  'transferHookProgramId',
  'confidentialTransferFeeConfig',
  'metadataPointer',
  'groupPointer',
  'groupMemberPointer',
  'scaledUiAmount',
  'pause',
];

function optionalAddress(cursor: AccountReader): string | null {
  return cursor.u8() === 1 ? cursor.address() : null;
}

function parseToken(data: Uint8Array, keys: string[]): Parsed | null {
  const cursor = new AccountReader(data);
  const [first, second, third] = keys;
  const kind = cursor.u8();
  const checked = (): object => {
    const amount = cursor.u64();
    return { tokenAmount: uiTokenAmount(amount, cursor.u8()) };
  };
  switch (kind) {
    case 0:
    case 20: {
      const [decimals, mintAuthority, freezeAuthority] = [cursor.u8(), cursor.address(), optionalAddress(cursor)];
      const info = { mint: first, decimals, mintAuthority, ...(freezeAuthority === null ? {} : { freezeAuthority }) };
      return kind === 0
        ? { type: 'initializeMint', info: { ...info, rentSysvar: second } }
        : { type: 'initializeMint2', info };
    }
    case 1:
      return { type: 'initializeAccount', info: { account: first, mint: second, owner: third, rentSysvar: keys[3] } };
    case 16:
      return {
        type: 'initializeAccount2',
        info: { account: first, mint: second, owner: cursor.address(), rentSysvar: third },
      };
    case 18:
      return { type: 'initializeAccount3', info: { account: first, mint: second, owner: cursor.address() } };
    case 3:
      return {
        type: 'transfer',
        info: {
          amount: cursor.u64().toString(),
          ...authority('authority', keys, 2),
          destination: second,
          source: first,
        },
      };
    case 4:
      return {
        type: 'approve',
        info: { source: first, delegate: second, amount: cursor.u64().toString(), ...authority('owner', keys, 2) },
      };
    case 5:
      return { type: 'revoke', info: { source: first, ...authority('owner', keys, 1) } };
    case 6: {
      const authorityType = AUTHORITY_TYPES[cursor.u8()] ?? 'unknown';
      const newAuthority = optionalAddress(cursor);
      const owned = authorityType === 'mintTokens' || authorityType === 'freezeAccount' ? 'mint' : 'account';
      return {
        type: 'setAuthority',
        info: { [owned]: first, authorityType, newAuthority, ...authority('authority', keys, 1) },
      };
    }
    case 7:
      return {
        type: 'mintTo',
        info: { mint: first, account: second, amount: cursor.u64().toString(), ...authority('mintAuthority', keys, 2) },
      };
    case 8:
      return {
        type: 'burn',
        info: { account: first, mint: second, amount: cursor.u64().toString(), ...authority('authority', keys, 2) },
      };
    case 9:
      return { type: 'closeAccount', info: { account: first, destination: second, ...authority('owner', keys, 2) } };
    case 10:
      return {
        type: 'freezeAccount',
        info: { account: first, mint: second, ...authority('freezeAuthority', keys, 2) },
      };
    case 11:
      return { type: 'thawAccount', info: { account: first, mint: second, ...authority('freezeAuthority', keys, 2) } };
    case 12:
      return {
        type: 'transferChecked',
        info: {
          ...authority('authority', keys.slice(0, 4), 3),
          destination: third,
          mint: second,
          source: first,
          ...checked(),
        },
      };
    case 13:
      return {
        type: 'approveChecked',
        info: { source: first, mint: second, delegate: third, ...checked(), ...authority('owner', keys, 3) },
      };
    case 14:
      return {
        type: 'mintToChecked',
        info: { mint: first, account: second, ...checked(), ...authority('mintAuthority', keys, 2) },
      };
    case 15:
      return {
        type: 'burnChecked',
        info: { account: first, mint: second, ...checked(), ...authority('authority', keys, 2) },
      };
    case 17:
      return { type: 'syncNative', info: { account: first } };
    case 21:
      return { type: 'getAccountDataSize', info: { mint: first } };
    case 22:
      return { type: 'initializeImmutableOwner', info: { account: first } };
    default:
      return null;
  }
}

function parseAssociated(data: Uint8Array, keys: string[]): Parsed | null {
  const kind = data.length === 0 ? 0 : data[0]!;
  if (kind > 1) return null;
  const [source, account, wallet, mint, systemProgram, tokenProgram] = keys;
  return {
    type: kind === 0 ? 'create' : 'createIdempotent',
    info: { account, mint, source, systemProgram, tokenProgram, wallet },
  };
}

const PARSERS: Record<
  string,
  { program: string; parse: (data: Uint8Array, keys: string[]) => Parsed | string | null }
> = {
  [SYSTEM_PROGRAM]: { program: 'system', parse: parseSystem },
  [TOKEN_PROGRAM]: { program: 'spl-token', parse: parseToken },
  [TOKEN_2022_PROGRAM]: { program: 'spl-token', parse: parseToken },
  [ASSOCIATED_TOKEN_PROGRAM]: { program: 'spl-associated-token-account', parse: parseAssociated },
  [MEMO_PROGRAM]: { program: 'spl-memo', parse: (data) => Buffer.from(data).toString('utf8') },
  [MEMO_PROGRAM_V1]: { program: 'spl-memo', parse: (data) => Buffer.from(data).toString('utf8') },
};

export function parseInstruction(instruction: RawInstruction, accountKeys: string[], stackHeight: number): object {
  const programId = accountKeys[instruction.programIdIndex] ?? SYSTEM_PROGRAM;
  const keys = Array.from(instruction.accounts, (index) => accountKeys[index] ?? '');
  const parser = PARSERS[programId];
  try {
    const parsed = parser?.parse(instruction.data, keys) ?? null;
    if (parser !== undefined && parsed !== null) return { parsed, program: parser.program, programId, stackHeight };
  } catch (error) {
    // Data too short for its kind is simply not parsed.
    if (!(error instanceof SolanaError)) throw error;
  }
  return { accounts: keys, data: encodeBase58(instruction.data), programId, stackHeight };
}
