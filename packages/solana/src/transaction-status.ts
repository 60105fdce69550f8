import type { SignatureStatus } from './rpc-replies.ts';

/**
 * What is proven about a sent transaction. Everything short of proof is `unknown`, and an unknown transaction
 * stays sent: signing the intent again could execute it twice.
 */
export type TransactionStatus =
  | { kind: 'confirmed'; slot: bigint }
  | { kind: 'finalized'; slot: bigint }
  | { kind: 'failed'; slot: bigint; err: unknown; finalized: boolean }
  | { kind: 'expired-proven' }
  | { kind: 'unknown'; reason: 'processed-only' | 'still-valid' | 'history-not-searched' | 'node-behind' };

/**
 * A blockhash is dead once the finalized height passed its last valid height; but a lagging node's null
 * proves nothing, so the null must come from a history search at a context slot after the slot where
 * that height was read.
 */
export function decideTransactionStatus(input: {
  status: SignatureStatus | null;
  /** The slot the status was answered at. */
  statusContextSlot: bigint;
  searchedHistory: boolean;
  lastValidBlockHeight: bigint;
  /** Read before the status was asked for. */
  finalized: { slot: bigint; blockHeight: bigint };
}): TransactionStatus {
  const { status } = input;
  if (status !== null) {
    // A processed transaction may still be forked away, its failure included.
    if (status.confirmationStatus === 'processed') return { kind: 'unknown', reason: 'processed-only' };
    const finalized = status.confirmationStatus === 'finalized';
    if (status.err !== null) return { kind: 'failed', slot: status.slot, err: status.err, finalized };
    return { kind: finalized ? 'finalized' : 'confirmed', slot: status.slot };
  }
  if (input.finalized.blockHeight <= input.lastValidBlockHeight) return { kind: 'unknown', reason: 'still-valid' };
  if (!input.searchedHistory) return { kind: 'unknown', reason: 'history-not-searched' };
  if (input.statusContextSlot <= input.finalized.slot) return { kind: 'unknown', reason: 'node-behind' };
  return { kind: 'expired-proven' };
}
