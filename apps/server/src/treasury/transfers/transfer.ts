import type { ErrorName } from '@hunter/contract/error-catalogue';
import type { Address } from '@hunter/solana/address';
import type { Asset } from '../../ledger/journal.ts';
import type { BookInWallet } from '../../ledger/books.ts';

export type TransferKind = 'commit' | 'return';

/** How they follow each other is drawn in `migrations/0023-transfers.sql`. */
export type TransferState = 'held' | 'sent' | 'confirmed' | 'finalized' | 'failed' | 'dead';

/** All legs leave books of one wallet. A commit is one leg of SOL from a personal book into the wallet of a strategy. */
export type NewTransfer = {
  id: string;
  kind: TransferKind;
  /** `asset` is 'SOL' or a mint; `amount` is what leaves, for the SOL of a return with its share of the fee inside. */
  legs: readonly { fromBookId: string; toBookId: string; asset: Asset; amount: bigint }[];
};

export type TransferView = {
  id: string;
  kind: TransferKind;
  state: TransferState;
  signature: string | null;
  error: ErrorName | null;
  legs: { fromBookId: string; toBookId: string; asset: Asset; amount: bigint; received: bigint | null }[];
};

/** A leg with the books and wallets at its ends. */
export type Leg = {
  line: number;
  from: BookInWallet;
  to: BookInWallet;
  asset: Asset;
  amount: bigint;
  received: bigint | null;
};

export type Transfer = Omit<TransferView, 'legs'> & { walletId: string; address: Address; legs: readonly Leg[] };

/** Money has moved, or it never will. */
export function isSettled(state: TransferState): boolean {
  return state !== 'held' && state !== 'sent';
}

/** Topic: a transfer reached `confirmed`, `failed` or `dead`, told in the transaction that posts it. */
export const TRANSFER_SETTLED_TOPIC = 'transfer-settled';
export type TransferSettled = { transferId: string; kind: TransferKind; state: TransferState };

/** Topic: commits that the chain has finalized, for the signer. */
export const COMMITS_FINAL_TOPIC = 'commits-final';
export type CommitsFinal = { signatures: string[] };
