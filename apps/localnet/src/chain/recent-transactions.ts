// Transactions that are not yet in the history database, and some that were added to it lately, oldest first.

import type { LedgerTransaction } from './chain.ts';

/** Slot and index in one number that sorts as the chain does. Exact up to 2^37 slots. */
export function sequenceOf(slot: number, index: number): number {
  return slot * 65_536 + index;
}

export const INDEX_MAX = 65_535;

export class RecentTransactions {
  readonly #bySignature = new Map<string, LedgerTransaction>();
  /** Whoever asks about an address does not look through the rest, which may be much where filing lags behind. */
  readonly #byAddress = new Map<string, LedgerTransaction[]>();

  get size(): number {
    return this.#bySignature.size;
  }

  add(transaction: LedgerTransaction): void {
    this.#bySignature.set(transaction.signature, transaction);
    for (const address of transaction.accountKeys) {
      const known = this.#byAddress.get(address);
      if (known === undefined) this.#byAddress.set(address, [transaction]);
      else known.push(transaction);
    }
  }

  get(signature: string): LedgerTransaction | null {
    return this.#bySignature.get(signature) ?? null;
  }

  /** Drops what the database holds by now, except for the last `kept`. */
  dropThrough(sequence: number, kept = 0): void {
    const dropped = new Map<string, number>();
    for (const [signature, transaction] of this.#bySignature) {
      if (this.#bySignature.size <= kept) break;
      if (sequenceOf(Number(transaction.slot), transaction.index) > sequence) break;
      this.#bySignature.delete(signature);
      for (const address of transaction.accountKeys) dropped.set(address, (dropped.get(address) ?? 0) + 1);
    }
    for (const [address, count] of dropped) this.#forget(address, count);
  }

  /** Whoever was added first is dropped first, so those to forget are the first of the address. */
  #forget(address: string, count: number): void {
    const known = this.#byAddress.get(address)!;
    if (known.length === count) this.#byAddress.delete(address);
    else known.splice(0, count);
  }

  mentioning(address: string): LedgerTransaction[] {
    return [...(this.#byAddress.get(address) ?? [])];
  }

  inSlot(slot: number): LedgerTransaction[] {
    return [...this.#bySignature.values()].filter((transaction) => Number(transaction.slot) === slot);
  }
}
