import type { Address } from '@hunter/solana/address';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import { setComputeUnitLimit } from '@hunter/solana/compute-budget-program';
import type { Instruction } from '@hunter/solana/instruction';
import { compileMessage, encodeMessage, type Message } from '@hunter/solana/message';
import { transferSol } from '@hunter/solana/system-program';
import { createAssociatedTokenAccountIdempotent, transferChecked } from '@hunter/solana/token-program';
import type { Listing } from './listing.ts';
import type { Side } from './pool-curve.ts';

/** Enough for the dearest shape: creating a Token-2022 account with a transfer fee and filling it. */
const COMPUTE_UNITS_BASE = 120_000;
const COMPUTE_UNITS_SPREAD = 65_536;

export function computeUnitLimit(nonce: number): number {
  return COMPUTE_UNITS_BASE + (nonce % COMPUTE_UNITS_SPREAD);
}

export const SIGNATURES_PER_SWAP = 2;
export const SIGNATURE_FEE_LAMPORTS = 5_000n;
export const SWAP_FEE_LAMPORTS = SIGNATURE_FEE_LAMPORTS * BigInt(SIGNATURES_PER_SWAP);

export type SwapTerms = {
  listing: Pick<Listing, 'mint' | 'tokenProgram' | 'decimals'>;
  pool: Address;
  /** The venue's reference key: whoever watches it sees every trade. */
  reference: Address;
  taker: Address;
  side: Side;
  lamports: bigint;
  /** As sent; a transfer fee of the mint is kept back from it at the receiving end. */
  tokens: bigint;
  blockhash: string;
  /**
   * Goes into the compute unit limit, so that two swaps of the same taker and size on the same blockhash are two
   * transactions with two signatures and not one that lands once.
   */
  nonce: number;
};

/**
 * One atomic swap without any program of our own: the taker pays the fee, and taker and pool both sign that SOL goes
 * one way and tokens the other. Whatever fails undoes all of it.
 */
export function compileSwap(terms: SwapTerms): { message: Message; messageBytes: Uint8Array } {
  const message = compileMessage({
    version: 0,
    feePayer: terms.taker,
    recentBlockhash: terms.blockhash,
    instructions: swapInstructions(terms),
  });
  return { message, messageBytes: encodeMessage(message) };
}

function swapInstructions({
  listing,
  pool,
  reference,
  taker,
  side,
  lamports,
  tokens,
  nonce,
}: SwapTerms): Instruction[] {
  const { mint, tokenProgram, decimals } = listing;
  const vault = associatedTokenAddress(pool, mint, tokenProgram);
  const takerTokens = associatedTokenAddress(taker, mint, tokenProgram);
  const limit = setComputeUnitLimit(computeUnitLimit(nonce));
  const tokenTransfer = { mint, amount: tokens, decimals, tokenProgram, references: [reference] };
  if (side === 'buy') {
    return [
      limit,
      createAssociatedTokenAccountIdempotent({ payer: taker, owner: taker, mint, tokenProgram }),
      transferSol({ from: taker, to: pool, lamports }),
      transferChecked({ ...tokenTransfer, source: vault, destination: takerTokens, owner: pool }),
    ];
  }
  return [
    limit,
    transferChecked({ ...tokenTransfer, source: takerTokens, destination: vault, owner: taker }),
    transferSol({ from: pool, to: taker, lamports }),
  ];
}

/** The wire form with empty slots for both signatures: taker first, pool second, as the fee payer comes first. */
export function unsignedWire(messageBytes: Uint8Array): Uint8Array {
  const wire = new Uint8Array(1 + 64 * SIGNATURES_PER_SWAP + messageBytes.length);
  wire[0] = SIGNATURES_PER_SWAP;
  wire.set(messageBytes, 1 + 64 * SIGNATURES_PER_SWAP);
  return wire;
}

export function signedWire(messageBytes: Uint8Array, taker: Uint8Array, pool: Uint8Array): Uint8Array {
  const wire = unsignedWire(messageBytes);
  wire.set(taker, 1);
  wire.set(pool, 65);
  return wire;
}

/** Cuts a swap's wire into its parts without decoding the message; null where the form is another. */
export function splitSwapWire(wire: Uint8Array): { takerSignature: Uint8Array; messageBytes: Uint8Array } | null {
  if (wire[0] !== SIGNATURES_PER_SWAP || wire.length <= 1 + 64 * SIGNATURES_PER_SWAP) return null;
  return { takerSignature: wire.subarray(1, 65), messageBytes: wire.subarray(1 + 64 * SIGNATURES_PER_SWAP) };
}
