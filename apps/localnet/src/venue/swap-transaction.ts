import type { Address } from '@hunter/solana/address';
import { associatedTokenAddress } from '@hunter/solana/associated-token-address';
import { decodeBase58 } from '@hunter/solana/base58';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
} from '@hunter/solana/program-ids';
import { writeU64 } from '@hunter/solana/u64';
import type { Listing } from './listing.ts';
import type { Side } from './pool-curve.ts';

/** Enough for the dearest shape: creating a Token-2022 account with a transfer fee and filling it. */
const COMPUTE_UNITS_BASE = 120_000;
const COMPUTE_UNITS_SPREAD = 65_536;

export function computeUnitLimit(nonce: number): number {
  return COMPUTE_UNITS_BASE + (nonce % COMPUTE_UNITS_SPREAD);
}

const SIGNATURES_PER_SWAP = 2;
const SIGNATURE_FEE_LAMPORTS = 5_000n;
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
  /** Its text, or the 32 bytes where whoever asks has them and needs no text. */
  blockhash: string | Uint8Array;
  /**
   * Goes into the compute unit limit, so that two swaps of the same taker and size on the same blockhash are two
   * transactions with two signatures and not one that lands once.
   */
  nonce: number;
  /** What the taker wants written beside the swap. */
  memo?: string | null;
};

/**
 * One atomic swap without any program of our own: the taker pays the fee, and taker and pool both sign that SOL goes
 * one way and tokens the other. Whatever fails undoes all of it.
 *
 * The two shapes are laid out by hand, byte for byte what compiling their instructions gives (a test holds them to
 * it): a round has thousands of these, and only keys, amounts and the blockhash differ.
 */
export function compileSwap(terms: SwapTerms): { accountKeys: Address[]; messageBytes: Uint8Array } {
  const isBuy = terms.side === 'buy';
  const memo = terms.memo ? new TextEncoder().encode(terms.memo) : null;
  const extra = memo === null ? 0 : 1;
  const accountKeys = memo === null ? swapKeys(terms) : [...swapKeys(terms), MEMO_PROGRAM];
  const tail = (isBuy ? BUY_TAIL_BYTES : SELL_TAIL_BYTES) + (memo === null ? 0 : 3 + memo.length);
  const bytes = new Uint8Array(5 + 32 * accountKeys.length + 32 + tail);
  // Version 0; two signers, both writable; the last six or five accounts, and the memo's program, are read-only.
  bytes.set([0x80, 2, 0, (isBuy ? 6 : 5) + extra, accountKeys.length]);
  let at = 5;
  for (const key of accountKeys) {
    bytes.set(bytesOf(key), at);
    at += 32;
  }
  bytes.set(typeof terms.blockhash === 'string' ? bytesOf(terms.blockhash) : terms.blockhash, at);
  at += 32;
  bytes[at] = (isBuy ? 4 : 3) + extra;
  at = writeInstruction(bytes, at + 1, 4, [], computeLimitData(terms.nonce));
  if (isBuy) {
    at = writeInstruction(bytes, at, 8, [0, 2, 0, 5, 6, 7], CREATE_IDEMPOTENT_DATA);
    at = writeInstruction(bytes, at, 6, [0, 1], transferSolData(terms.lamports));
    at = writeInstruction(bytes, at, 7, [3, 5, 2, 1, 9], transferCheckedData(terms));
  } else {
    at = writeInstruction(bytes, at, 7, [2, 5, 3, 0, 6], transferCheckedData(terms));
    at = writeInstruction(bytes, at, 8, [1, 0], transferSolData(terms.lamports));
  }
  if (memo !== null) writeInstruction(bytes, at, accountKeys.length - 1, [], memo);
  // No lookup tables: the zero that ends the message is there already.
  return { accountKeys, messageBytes: bytes };
}

const CREATE_IDEMPOTENT_DATA = Uint8Array.of(1);
/** Instruction count, instructions and the empty list of lookup tables. */
const SELL_TAIL_BYTES = 1 + (3 + 5) + (3 + 5 + 10) + (3 + 2 + 12) + 1;
const BUY_TAIL_BYTES = SELL_TAIL_BYTES + (3 + 6 + 1);

/** Taker, pool, the taker's token account and the vault come first in both shapes. */
function swapKeys({ listing, pool, reference, taker, side }: SwapTerms): Address[] {
  const { mint, tokenProgram } = listing;
  const takerTokens = associatedTokenAddress(taker, mint, tokenProgram);
  const vault = associatedTokenAddress(pool, mint, tokenProgram);
  const changing = [taker, pool, takerTokens, vault, COMPUTE_BUDGET_PROGRAM, mint];
  return side === 'buy'
    ? [...changing, SYSTEM_PROGRAM, tokenProgram, ASSOCIATED_TOKEN_PROGRAM, reference]
    : [...changing, reference, tokenProgram, SYSTEM_PROGRAM];
}

function writeInstruction(
  target: Uint8Array,
  offset: number,
  program: number,
  accounts: readonly number[],
  data: Uint8Array,
): number {
  let at = offset;
  target[at] = program;
  target[at + 1] = accounts.length;
  target.set(accounts, at + 2);
  at += 2 + accounts.length;
  target[at] = data.length;
  target.set(data, at + 1);
  return at + 1 + data.length;
}

function computeLimitData(nonce: number): Uint8Array {
  const data = new Uint8Array(5);
  data[0] = 2;
  new DataView(data.buffer).setUint32(1, computeUnitLimit(nonce), true);
  return data;
}

function transferSolData(lamports: bigint): Uint8Array {
  const data = new Uint8Array(12);
  data[0] = 2;
  writeU64(data, 4, lamports);
  return data;
}

function transferCheckedData({ tokens, listing }: SwapTerms): Uint8Array {
  const data = new Uint8Array(10);
  data[0] = 12;
  writeU64(data, 1, tokens);
  data[9] = listing.decimals;
  return data;
}

/** The same keys come again and again, in every order of a taker and every trade of a pool. */
const decoded = new Map<string, Uint8Array>();
const DECODED_MAX = 50_000;

function bytesOf(text: string): Uint8Array {
  const known = decoded.get(text);
  if (known !== undefined) return known;
  const bytes = decodeBase58(text);
  if (bytes.length !== 32) throw new Error(`${text} is not the text of 32 bytes`);
  // Starting over now and then is cheaper than keeping the order of use at every key of every swap.
  if (decoded.size >= DECODED_MAX) decoded.clear();
  decoded.set(text, bytes);
  return bytes;
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
