import type { Commitment } from '../chain/chain.ts';
import type { LedgerChain } from '../chain/ledger-chain.ts';

const ORDER: Record<Commitment, number> = { processed: 0, confirmed: 1, finalized: 2 };

export function confirmationOf(chain: LedgerChain, slot: number): Commitment {
  if (slot <= chain.slot('finalized')) return 'finalized';
  return slot <= chain.slot('confirmed') ? 'confirmed' : 'processed';
}

export function reaches(chain: LedgerChain, slot: number, wanted: Commitment): boolean {
  return ORDER[confirmationOf(chain, slot)] >= ORDER[wanted];
}
