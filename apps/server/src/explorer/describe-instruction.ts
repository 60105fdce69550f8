import { readU64 } from '@hunter/solana/u64';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '@hunter/solana/program-ids';
import type { Address } from '@hunter/solana/address';

/** `lamports` for SOL; `units` of a token with its mint and decimals, where the instruction names them. */
export type DescribedInstruction = {
  name: string | null;
  lamports: bigint | null;
  tokens: { units: bigint; mint: Address; decimals: number } | null;
};

const systemNames = new Map([
  [0, 'CreateAccount'],
  [1, 'Assign'],
  [2, 'Transfer'],
  [3, 'CreateAccountWithSeed'],
  [4, 'AdvanceNonceAccount'],
  [8, 'Allocate'],
]);
const tokenNames = new Map([
  [0, 'InitializeMint'],
  [1, 'InitializeAccount'],
  [3, 'Transfer'],
  [4, 'Approve'],
  [5, 'Revoke'],
  [6, 'SetAuthority'],
  [7, 'MintTo'],
  [8, 'Burn'],
  [9, 'CloseAccount'],
  [10, 'FreezeAccount'],
  [11, 'ThawAccount'],
  [12, 'TransferChecked'],
  [14, 'MintToChecked'],
  [15, 'BurnChecked'],
  [16, 'InitializeAccount2'],
  [17, 'SyncNative'],
  [18, 'InitializeAccount3'],
  [20, 'InitializeMint2'],
]);
const associatedNames = new Map([
  [0, 'Create'],
  [1, 'CreateIdempotent'],
  [2, 'RecoverNested'],
]);
const computeNames = new Map([
  [1, 'RequestHeapFrame'],
  [2, 'SetComputeUnitLimit'],
  [3, 'SetComputeUnitPrice'],
]);
/** At which place of their accounts the mint stands. */
const checkedMintAt = new Map([
  [12, 1],
  [14, 0],
  [15, 1],
]);

const nothing: DescribedInstruction = { name: null, lamports: null, tokens: null };

/** What an instruction asks for, read from its first bytes; everything null for a program whose format is not known. */
export function describeInstruction(
  program: string,
  accounts: readonly Address[],
  data: Uint8Array,
): DescribedInstruction {
  switch (program) {
    case SYSTEM_PROGRAM: {
      const tag = data.length >= 4 ? Buffer.from(data).readUInt32LE(0) : -1;
      const moves = (tag === 0 || tag === 2) && data.length >= 12;
      return { ...nothing, name: systemNames.get(tag) ?? null, lamports: moves ? readU64(data, 4) : null };
    }
    case TOKEN_PROGRAM:
    case TOKEN_2022_PROGRAM: {
      const tag = data[0] ?? -1;
      const mint = accounts[checkedMintAt.get(tag) ?? -1];
      const tokens =
        mint !== undefined && data.length >= 10 ? { units: readU64(data, 1), mint, decimals: data[9]! } : null;
      return { ...nothing, name: tokenNames.get(tag) ?? null, tokens };
    }
    case ASSOCIATED_TOKEN_PROGRAM:
      // Without a byte it is the oldest of them.
      return { ...nothing, name: associatedNames.get(data[0] ?? 0) ?? null };
    case COMPUTE_BUDGET_PROGRAM:
      return { ...nothing, name: computeNames.get(data[0] ?? -1) ?? null };
    case MEMO_PROGRAM:
      return { ...nothing, name: 'Memo' };
    default:
      return nothing;
  }
}
