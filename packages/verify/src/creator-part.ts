import { verifyAllocation, type AllocationProof } from './allocation-proof.ts';
import type { Transaction } from './chain.ts';
import { memosOf, type Effect } from './effect.ts';

const MEMO_START = 'hunter:a1:';

export function isRound(transaction: Transaction): boolean {
  return memosOf(transaction).some((memo) => memo.startsWith(MEMO_START));
}

/** What the record says about the creator's part of a swap, in base units. */
export type PublishedPart = { lamports: bigint; tokens: bigint; feeLamports: bigint };

/**
 * The creator's part of what a round did to the strategy's wallet. His input is proven by the memo, his output is pro rata of the
 * swap's: published to the base unit, and refused where it is more than one unit away. Of the network fee he bears at least
 * his share and at most all of it; deposits of token accounts are his. Null where the proof does not hold.
 */
export function creatorPart(
  whole: Effect,
  transaction: Transaction,
  proof: AllocationProof,
  published: PublishedPart,
): Effect | null {
  const memo = memosOf(transaction).find((text) => text.startsWith(MEMO_START));
  if (memo === undefined) return null;
  const checked = verifyAllocation(proof, memo);
  if (!checked.ok) return null;
  const token = whole.tokens.get(proof.mint);
  if (!token) return null;
  const { change, decimals } = token;
  const buy = proof.side === 'buy';
  const [spent, received] = buy ? [-whole.swapLamports, change] : [-change, whole.swapLamports];
  if (spent !== checked.sum || checked.sum === 0n) return null;
  const own = (total: bigint): bigint => (total * checked.amountIn) / checked.sum;
  const out = buy ? published.tokens : published.lamports;
  if (out < own(received) || out > own(received) + 1n) return null;
  const fee = published.feeLamports;
  if (fee < own(whole.feeLamports) || fee > whole.feeLamports) return null;
  return {
    ...whole,
    feeLamports: fee,
    swapLamports: buy ? -checked.amountIn : out,
    tokens: new Map([[proof.mint, { change: buy ? out : -checked.amountIn, decimals }]]),
  };
}
