// Transactions that are not yet in the history database, and some that were added to it lately, oldest first.

import type { LedgerTransaction } from './chain.ts';

/** Slot and index in one number that sorts as the chain does. Exact up to 2^37 slots. */
export function sequenceOf(slot: number, index: number): number {
  return slot * 65_536 + index;
}

export const INDEX_MAX = 65_535;

export class RecentTransactions {
  readonly #bySignature = new Map<string, LedgerTransaction>();

  get size(): number {
    return this.#bySignature.size;
  }

  add(transaction: LedgerTransaction): void {
    this.#bySignature.set(transaction.signature, transaction);
  }

  get(signature: string): LedgerTransaction | null {
    return this.#bySignature.get(signature) ?? null;
  }

  /** Drops what the database holds by now, except for the last `kept`. */
  dropThrough(sequence: number, kept = 0): void {
    for (const [signature, transaction] of this.#bySignature) {
      if (this.#bySignature.size <= kept) break;
      if (sequenceOf(Number(transaction.slot), transaction.index) > sequence) break;
      this.#bySignature.delete(signature);
    }
  }

  mentioning(address: string): LedgerTransaction[] {
    return [...this.#bySignature.values()].filter((transaction) => transaction.accountKeys.includes(address));
  }

  inSlot(slot: number): LedgerTransaction[] {
    return [...this.#bySignature.values()].filter((transaction) => Number(transaction.slot) === slot);
  }
}
