import type { SignatureStatus } from '@hunter/solana/rpc-replies';

/** What was posted for a transaction when it was confirmed; null for those of versions before this was kept. */
export type PostedOutcome = { slot: bigint; failed: boolean } | null;

/**
 * What the chain's later word means for a transaction that was posted when it was confirmed:
 * `final` what was posted stands · `changed` it is final on another fork, where it may have done something else ·
 * `lost` no fork shows it any more, which proves nothing yet · `wait` for finality.
 */
export type Finality = 'final' | 'changed' | 'lost' | 'wait';

export function decideFinality(status: SignatureStatus | null, posted: PostedOutcome): Finality {
  if (status === null) return 'lost';
  if (status.confirmationStatus !== 'finalized') return 'wait';
  if (posted === null) return 'final';
  return status.slot === posted.slot && (status.err !== null) === posted.failed ? 'final' : 'changed';
}
