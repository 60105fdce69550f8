// What the ledger needs of its storage. The chain executes in memory, hands every change to the journal and tells
// nobody before the journal says it is safe.

import type { AccountWrite } from './bank.ts';
import type { LedgerTransaction, ListedTransaction } from './chain.ts';
import type { SignatureStatus } from './ledger-chain.ts';

export type HistoryRange = { before: string | null; until: string | null; limit: number; newestSlot: number };

export interface Journal {
  /** Resolves once all of it is on disk. Calls become durable in the order they were made. */
  record(transactions: LedgerTransaction[], writes: AccountWrite[]): Promise<void>;
  recordPast(transactions: Iterable<LedgerTransaction> | AsyncIterable<LedgerTransaction>): Promise<void>;
  transaction(signature: string): LedgerTransaction | null;
  status(signature: string): SignatureStatus | null;
  /** Newest first. */
  transactionsFor(address: string, range: HistoryRange): LedgerTransaction[];
  listFor(address: string, range: HistoryRange): ListedTransaction[];
  inSlot(slot: number): LedgerTransaction[];
  firstSlot(): number | null;
  transactionCount(): number;
  close(): Promise<void>;
}
