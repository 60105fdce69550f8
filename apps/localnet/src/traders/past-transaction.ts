import { createHash } from 'node:crypto';
import type { Address } from '@hunter/solana/address';
import { findProgramAddress } from '@hunter/solana/associated-token-address';
import { addressBytes } from '@hunter/solana/address';
import { encodeBase58 } from '@hunter/solana/base58';
import { BoundedCache } from '@hunter/solana/bounded-cache';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
} from '@hunter/solana/program-ids';
import type { Listing } from '../venue/listing.ts';
import type { Side } from '../venue/pool-curve.ts';
import type { MintExtensions } from '../venue/token-account-data.ts';

// Compute units as the programs themselves use them, seen on the embedded chain and held to it by a test.
const BUILTIN_UNITS = 150;
const TOKEN_TRANSFER_UNITS = 158;
const CREATE_IDEMPOTENT_UNITS = 4_338;
const CREATE_IDEMPOTENT_2022_UNITS = 4_357;
/** Each bump that the derivation of the account's address had to try costs this much again. */
const BUMP_UNITS = 1_500;

const bumps = new BoundedCache<string, number>(20_000);

/** The log and the units of a swap that found the taker's token account in place. */
export function swapTrace(
  listing: Listing,
  side: Side,
  taker: Address,
  unitLimit: number,
): { logMessages: string[]; computeUnitsConsumed: bigint } {
  const { tokenProgram, extensions } = listing;
  const isToken2022 = tokenProgram !== TOKEN_PROGRAM;
  const transferUnits = isToken2022 ? token2022TransferUnits(extensions) : TOKEN_TRANSFER_UNITS;
  const logMessages: string[] = [];
  let left = unitLimit;
  const builtin = (program: Address): void => {
    logMessages.push(`Program ${program} invoke [1]`, `Program ${program} success`);
    left -= BUILTIN_UNITS;
  };
  const program = (id: Address, units: number, note: string | null): void => {
    logMessages.push(`Program ${id} invoke [1]`);
    if (note !== null) logMessages.push(`Program log: ${note}`);
    logMessages.push(`Program ${id} consumed ${units} of ${left} compute units`, `Program ${id} success`);
    left -= units;
  };
  const transfer = (): void =>
    program(tokenProgram, transferUnits, isToken2022 ? 'Instruction: TransferChecked' : null);

  builtin(COMPUTE_BUDGET_PROGRAM);
  if (side === 'buy') {
    const units = isToken2022 ? CREATE_IDEMPOTENT_2022_UNITS : CREATE_IDEMPOTENT_UNITS;
    program(ASSOCIATED_TOKEN_PROGRAM, units + bumpsTried(listing, taker) * BUMP_UNITS, 'CreateIdempotent');
    builtin(SYSTEM_PROGRAM);
    transfer();
  } else {
    transfer();
    builtin(SYSTEM_PROGRAM);
  }
  return { logMessages, computeUnitsConsumed: BigInt(unitLimit - left) };
}

/** A blockhash for a slot that nobody lived through. */
export function pastBlockhash(seed: string, slot: number): string {
  return encodeBase58(createHash('sha256').update(`simulated-past:${seed}:${slot}`).digest());
}

function token2022TransferUnits(extensions: MintExtensions): number {
  if (extensions.transferFee !== undefined) return extensions.permanentDelegate === undefined ? 3_640 : 3_720;
  if (extensions.permanentDelegate !== undefined) return 2_887;
  return extensions.frozenByDefault === true ? 2_969 : 2_753;
}

function bumpsTried({ mint, tokenProgram }: Listing, owner: Address): number {
  const key = `${owner}${mint}`;
  const known = bumps.get(key);
  if (known !== undefined) return known;
  const seeds = [addressBytes(owner), addressBytes(tokenProgram), addressBytes(mint)];
  const tried = 255 - findProgramAddress(seeds, ASSOCIATED_TOKEN_PROGRAM).bump;
  bumps.set(key, tried);
  return tried;
}
