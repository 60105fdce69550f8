import type { TransactionStatus } from '@hunter/solana/transaction-status';

/** What recovery does next with a transaction, by what is proven about it. */
export type Step = 'post' | 'note-confirmed' | 'release' | 'send-again' | 'wait';

export function decideStep(status: TransactionStatus, postsAt: 'confirmed' | 'finalized'): Step {
  const postsEarly = postsAt === 'confirmed';
  if (status.kind === 'finalized') return 'post';
  if (status.kind === 'confirmed') return postsEarly ? 'post' : 'note-confirmed';
  if (status.kind === 'failed') return postsEarly || status.finalized ? 'post' : 'wait';
  if (status.kind === 'expired-proven') return 'release';
  // Past its last valid height the network takes it no more; what is processed is on its way already.
  return status.reason === 'still-valid' ? 'send-again' : 'wait';
}
