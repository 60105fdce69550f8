// Blockhashes follow from the ledger's identity and the slot alone, so that they need no storage and come back after
// a restart exactly as they were.

import { createHash } from 'node:crypto';
import { encodeBase58 } from '@hunter/solana/base58';

/** A blockhash is good for this many blocks after its own. */
export const BLOCKHASH_AGE_SLOTS_MAX = 150;
const KEPT = 600;

export class Blockhashes {
  readonly #ledgerId: Uint8Array;
  readonly #bytesBySlot = new Map<number, Uint8Array>();
  readonly #slotByText = new Map<string, number>();
  readonly #textBySlot = new Map<number, string>();

  constructor(ledgerId: Uint8Array) {
    this.#ledgerId = ledgerId;
  }

  bytes(slot: number): Uint8Array {
    const known = this.#bytesBySlot.get(slot);
    if (known !== undefined) return known;
    const at = Buffer.alloc(8);
    at.writeBigUInt64LE(BigInt(slot));
    const hash = new Uint8Array(createHash('sha256').update(this.#ledgerId).update(at).digest());
    this.#bytesBySlot.set(slot, hash);
    if (this.#bytesBySlot.size > KEPT * 2) {
      for (const key of this.#bytesBySlot.keys()) {
        if (this.#bytesBySlot.size <= KEPT) break;
        this.#bytesBySlot.delete(key);
      }
    }
    return hash;
  }

  text(slot: number): string {
    return this.#textBySlot.get(slot) ?? encodeBase58(this.bytes(slot));
  }

  /** Makes the window end at `slot`. */
  enterSlot(slot: number): void {
    const oldest = slot - BLOCKHASH_AGE_SLOTS_MAX;
    for (const [past, text] of this.#textBySlot) {
      if (past >= oldest) break;
      this.#textBySlot.delete(past);
      this.#slotByText.delete(text);
    }
    const newest = [...this.#textBySlot.keys()].at(-1) ?? oldest - 1;
    for (let next = Math.max(newest + 1, oldest); next <= slot; next += 1) {
      const text = encodeBase58(this.bytes(next));
      this.#textBySlot.set(next, text);
      this.#slotByText.set(text, next);
    }
  }

  /** The slot of a blockhash that is inside the window, else null. */
  slotOf(text: string): number | null {
    return this.#slotByText.get(text) ?? null;
  }
}
