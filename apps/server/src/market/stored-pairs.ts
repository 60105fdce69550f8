import type { HolderPair } from './holder-batch.ts';

/** A filter of this many bits takes 2 MB and tells a million and a half pairs apart. */
const BITS_FIRST = 2 ** 24;
const BITS_MAX = 2 ** 28;
const GROWTH = 4;
/** With four bits set per pair, one pair in a hundred is asked for in vain. */
const BITS_PER_PAIR = 10;
const BITS_SET = 4;

/**
 * Which pairs of token and wallet the table of holders certainly does not have, so that nobody need ask for them. True
 * only for tokens whose stored pairs were all learnt, under the lock of the market's writers; of any other token
 * everything may be stored. May forget at any time.
 */
export class StoredPairs {
  #bits: Uint32Array;
  #pairs = 0;
  readonly #learnt = new Set<number>();

  constructor(bits = BITS_FIRST) {
    this.#bits = new Uint32Array(bits / 32);
  }

  mayHave({ tokenId, traderId }: HolderPair): boolean {
    if (!this.#learnt.has(tokenId)) return true;
    let place = firstPlace(tokenId, traderId);
    const step = stepOf(tokenId, traderId);
    for (let count = 0; count < BITS_SET; count += 1) {
      if ((this.#bits[(place >>> 5) % this.#bits.length]! & (1 << (place & 31))) === 0) return false;
      place = (place + step) >>> 0;
    }
    return true;
  }

  hasLearnt(tokenId: number): boolean {
    return this.#learnt.has(tokenId);
  }

  /** `stored` are all pairs that the table has of these tokens. */
  learn(tokenIds: readonly number[], stored: readonly HolderPair[]): void {
    for (const tokenId of tokenIds) this.#learnt.add(tokenId);
    this.add(stored);
  }

  /** Pairs that are about to be stored. */
  add(pairs: readonly HolderPair[]): void {
    for (const pair of pairs) this.#add(pair);
    if (this.#pairs * BITS_PER_PAIR > this.#bits.length * 32 && this.#bits.length * 32 < BITS_MAX) this.#grow();
  }

  #add({ tokenId, traderId }: HolderPair): void {
    let place = firstPlace(tokenId, traderId);
    const step = stepOf(tokenId, traderId);
    let isNew = false;
    for (let count = 0; count < BITS_SET; count += 1) {
      const word = (place >>> 5) % this.#bits.length;
      const bit = 1 << (place & 31);
      if ((this.#bits[word]! & bit) === 0) {
        this.#bits[word]! |= bit;
        isNew = true;
      }
      place = (place + step) >>> 0;
    }
    if (isNew) this.#pairs += 1;
  }

  /** Somebody else is about to store pairs of this token. */
  forget(tokenId: number): void {
    this.#learnt.delete(tokenId);
  }

  forgetAll(): void {
    this.#learnt.clear();
  }

  /** What a filter was told cannot be read from it: the larger one learns again. */
  #grow(): void {
    this.#bits = new Uint32Array(this.#bits.length * GROWTH);
    this.#pairs = 0;
    this.forgetAll();
  }
}

function firstPlace(tokenId: number, traderId: number): number {
  return mixed(Math.imul(tokenId, 0x9e3779b1) ^ traderId);
}

/** Odd, so that no two of a pair's places are the same. */
function stepOf(tokenId: number, traderId: number): number {
  return mixed(Math.imul(traderId, 0x85ebca6b) + tokenId) | 1;
}

/** Every bit of the number changes about half of the bits of the answer. */
function mixed(value: number): number {
  let bits = value;
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return (bits ^ (bits >>> 16)) >>> 0;
}
