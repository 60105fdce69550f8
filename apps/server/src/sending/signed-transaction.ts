import type { Address } from '@hunter/solana/address';

/** What a transaction of ours is for. Each purpose has one area that signs it and posts what became of it. */
export type Purpose = 'order' | 'withdrawal' | 'closing' | 'transfer';

export type SignedTransaction = {
  signature: string;
  /** What it carries out: an order, a withdrawal, a transfer, or the token account that it closes. */
  intentId: string;
  /** Who signs it and pays its fee. To any other wallet it is somebody else's transaction. */
  walletAddress: Address;
  wire: Uint8Array;
  lastValidBlockHeight: bigint;
  /** Where a venue sends it: the venue's name for the quote. */
  venueRequest: string | null;
};

export type TransactionState = 'sent' | 'landed' | 'finalized' | 'failed' | 'expired' | 'refused';
