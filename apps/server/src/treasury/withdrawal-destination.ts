import type { DestinationProblem } from '@hunter/contract/error-catalogue';
import { type Address, isOnCurveAddress } from '@hunter/solana/address';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  WRAPPED_SOL_MINT,
} from '@hunter/solana/program-ids';
import type { AccountInfo } from '@hunter/solana/rpc-replies';

const MINT_BYTES = 82;
const TOKEN_PROGRAMS: ReadonlySet<Address> = new Set([TOKEN_PROGRAM, TOKEN_2022_PROGRAM]);
const RESERVED: ReadonlySet<Address> = new Set([...TOKEN_PROGRAMS, ASSOCIATED_TOKEN_PROGRAM, WRAPPED_SOL_MINT]);

/**
 * Native programs, sysvars and the incinerator have chosen addresses that end in a row of ones. Nobody can find a key
 * whose address ends in eight of them, so all of them are told without a list that grows old.
 */
const CHOSEN_ADDRESS = /1{8}$/;

/**
 * Why SOL sent to this address would be lost, or null where its owner can spend it. `account` is what the chain has
 * there: a program-derived address can belong to somebody (the vault of a multisig), which shows only once it exists.
 */
export function decideDestination(address: Address, account: AccountInfo | null): DestinationProblem | null {
  if (RESERVED.has(address) || CHOSEN_ADDRESS.test(address)) return 'reserved';
  if (account === null) return isOnCurveAddress(address) ? null : 'no-owner';
  if (account.executable) return 'program';
  if (account.owner === SYSTEM_PROGRAM) return null;
  if (!TOKEN_PROGRAMS.has(account.owner)) return 'program-account';
  return isMint(account.data) ? 'mint' : 'token-account';
}

/** Token-2022 pads a mint that has extensions to the length of a token account and writes the kind after it. */
function isMint(data: Uint8Array): boolean {
  const KIND_OFFSET = 165;
  return data.length === MINT_BYTES || data[KIND_OFFSET] === 1;
}
