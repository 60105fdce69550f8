// Checks one allocation of a round against the memo of its swap on chain. Written from docs/decisions, without the server's code:
// what both agree on is what the document says.

import { addressBytes, base64url, BytesError, hashBytes, joined, numberBytes, uuidBytes } from './bytes.ts';
import { sha256 } from './sha256.ts';
import { amountOf, rootOf, type SumStep } from './sum-path.ts';

export type AllocationProof = {
  wallet: string;
  roundId: string;
  attempt: number;
  side: 'buy' | 'sell';
  mint: string;
  followId: string;
  salt: string;
  /** Base units: lamports for a buy, of the token for a sell. */
  amountIn: string;
  /** 0 for who took part, else the code of the reason for which the copy was skipped. */
  reason: number;
  count: number;
  index: number;
  path: readonly SumStep[];
};

export type AllocationCheck =
  | { ok: true; amountIn: bigint; sum: bigint; count: number }
  | { ok: false; problem: 'unreadable-proof' | 'wrong-path' | 'other-memo'; detail: string };

const TAG = new TextEncoder().encode('hunter-alloc-1');
/** A round of 2^32 allocations fills a path of this length. */
const PATH_LENGTH_MAX = 32;

/** `ok` means: the memo was computed from a list that has this allocation, and all inputs of that list add up to `sum`. */
export function verifyAllocation(proof: AllocationProof, memo: string): AllocationCheck {
  try {
    return check(proof, memo);
  } catch (error) {
    if (error instanceof BytesError) return { ok: false, problem: 'unreadable-proof', detail: error.message };
    throw error;
  }
}

function check(proof: AllocationProof, memo: string): AllocationCheck {
  const { count, index, path } = proof;
  const amountIn = amountOf(proof.amountIn);
  const depth = Math.ceil(Math.log2(count));
  const counted = Number.isInteger(count) && Number.isInteger(index) && index >= 0 && index < count;
  if (!counted || path.length !== depth || path.length > PATH_LENGTH_MAX) {
    return { ok: false, problem: 'wrong-path', detail: `${path.length} steps for place ${index} of ${count}` };
  }
  if (proof.reason !== 0 && amountIn !== 0n) {
    return { ok: false, problem: 'wrong-path', detail: 'a skipped copy has an amount' };
  }
  const root = rootOf({ hash: leafHash(proof, amountIn), sum: amountIn }, index, path);
  if (root === null) return { ok: false, problem: 'wrong-path', detail: `the path does not lead to place ${index}` };
  const bytes = joined(numberBytes(2n, 1), root.hash, numberBytes(root.sum, 8), numberBytes(BigInt(count), 4));
  const expected = `hunter:a1:${base64url(sha256(joined(bytes, uuidBytes(proof.roundId))))}`;
  if (expected !== memo) return { ok: false, problem: 'other-memo', detail: `the proof leads to ${expected}` };
  return { ok: true, amountIn, sum: root.sum, count };
}

function leafHash(proof: AllocationProof, amountIn: bigint): Uint8Array {
  if (proof.side !== 'buy' && proof.side !== 'sell') throw new BytesError('the side is neither buy nor sell');
  return sha256(
    joined(
      numberBytes(0n, 1),
      TAG,
      addressBytes(proof.wallet),
      uuidBytes(proof.roundId),
      numberBytes(wholeNumber(proof.attempt), 4),
      numberBytes(proof.side === 'buy' ? 1n : 2n, 1),
      addressBytes(proof.mint),
      uuidBytes(proof.followId),
      hashBytes(proof.salt),
      numberBytes(amountIn, 8),
      numberBytes(wholeNumber(proof.reason), 2),
    ),
  );
}

function wholeNumber(value: number): bigint {
  if (!Number.isSafeInteger(value)) throw new BytesError(`not a whole number: ${value}`);
  return BigInt(value);
}
