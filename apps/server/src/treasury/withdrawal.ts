import { printSol, type Lamports } from '@hunter/domain/lamports';
import type { Address } from '@hunter/solana/address';
import type { CallReply } from '@hunter/contract/calls';
import type { ErrorName } from '@hunter/contract/error-catalogue';

export type WithdrawalState =
  | 'requested'
  | 'delayed'
  | 'approved'
  | 'sent'
  | 'confirmed'
  | 'finalized'
  | 'failed'
  | 'refused'
  | 'cancelled';

/** The lifecycle as a table; migrations/0006-treasury.sql says what each state means. */
export const nextWithdrawalStates = {
  requested: ['sent', 'delayed', 'refused'],
  delayed: ['sent', 'refused', 'cancelled'],
  approved: ['sent', 'delayed', 'failed'],
  sent: ['confirmed', 'finalized', 'failed', 'approved'],
  // A confirmed transaction may still vanish with its fork and then expire.
  confirmed: ['finalized', 'failed', 'approved'],
  finalized: [],
  failed: [],
  refused: [],
  cancelled: [],
} as const satisfies Record<WithdrawalState, readonly WithdrawalState[]>;

export type Withdrawal = {
  id: string;
  userId: string;
  bookId: string;
  fromAddress: Address;
  toAddress: Address;
  lamports: Lamports;
  feeLamports: Lamports;
  state: WithdrawalState;
  heldUntil: Date | null;
  signature: string | null;
  error: ErrorName | null;
  createdAt: Date;
};

const shownStatus = {
  requested: 'sent',
  delayed: 'held',
  approved: 'sent',
  sent: 'sent',
  confirmed: 'confirmed',
  finalized: 'finalized',
  failed: 'failed',
  refused: 'failed',
  cancelled: 'cancelled',
} as const satisfies Record<WithdrawalState, string>;

export function withdrawalView(row: Withdrawal): CallReply<'withdrawal'> {
  const delayed = row.state === 'delayed';
  return {
    id: row.id,
    status: shownStatus[row.state],
    toWallet: row.toAddress,
    amount: printSol(row.lamports),
    txHash: delayed ? null : row.signature,
    gasFee: printSol(row.feeLamports),
    createdAt: row.createdAt.getTime(),
    heldUntil: delayed ? (row.heldUntil?.getTime() ?? null) : null,
  };
}

export function isSettled(state: WithdrawalState): boolean {
  return nextWithdrawalStates[state].length === 0;
}
