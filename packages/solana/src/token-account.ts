import { addressBytes, addressFromBytes, type Address } from './address.ts';
import { associatedTokenAddress } from './associated-token-address.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from './program-ids.ts';
import type { AccountInfo } from './rpc-replies.ts';

const OWNER_AT = 32;
const AMOUNT_AT = 64;
const BASE_LENGTH = 165;

/** Null where it is no token account. Both token programs lay the first 165 bytes out alike; a longer mint is told by its type. */
export function tokensIn({ owner: program, data }: AccountInfo): { mint: Address; amount: bigint } | null {
  if (program !== TOKEN_PROGRAM && program !== TOKEN_2022_PROGRAM) return null;
  if (data.length < BASE_LENGTH || (data.length > BASE_LENGTH && data[BASE_LENGTH] !== 2)) return null;
  return { mint: addressFromBytes(data.subarray(0, OWNER_AT)), amount: amountIn(data) };
}

/** Whether a token account is there. Anybody can send SOL to the address of one that is not: then something is, and no token account. */
export function isTokenAccount(account: AccountInfo | null | undefined): boolean {
  return account != null && tokensIn(account) !== null;
}

/** Without a view of the bytes: making one takes longer than reading them, and reconciliation reads all accounts of all wallets. */
function amountIn(data: Uint8Array): bigint {
  const low = word(data, AMOUNT_AT);
  const high = word(data, AMOUNT_AT + 4);
  return high < 2 ** 21 ? BigInt(high * 2 ** 32 + low) : (BigInt(high) << 32n) + BigInt(low);
}

function word(data: Uint8Array, at: number): number {
  return data[at]! + data[at + 1]! * 2 ** 8 + data[at + 2]! * 2 ** 16 + data[at + 3]! * 2 ** 24;
}

/** Whether a token account is this owner's: it may have been handed over with SetAuthority. */
export function isOwnedBy({ data }: AccountInfo, owner: Address): boolean {
  return addressBytes(owner).every((byte, index) => data[OWNER_AT + index] === byte);
}

export function decodeTokenAccount(account: AccountInfo): { mint: Address; owner: Address; amount: bigint } | null {
  const tokens = tokensIn(account);
  return tokens && { ...tokens, owner: addressFromBytes(account.data.subarray(OWNER_AT, AMOUNT_AT)) };
}

/**
 * Whether an account is the one that venues and our own transfers use for this owner and mint. Any other account may have been made
 * by a stranger and handed over with SetAuthority: what lies in it cannot be sold, and the stranger may keep powers over it.
 */
export function isAssociatedAccount(
  account: Address,
  owner: Address,
  mint: Address,
  tokenProgram: Address | null,
): boolean {
  const programs = tokenProgram === null ? [TOKEN_PROGRAM, TOKEN_2022_PROGRAM] : [tokenProgram];
  return programs.some((program) => associatedTokenAddress(owner, mint, program) === account);
}
