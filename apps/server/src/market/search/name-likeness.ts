import { PieceIndex } from './postings.ts';

const CANDIDATES_MAX = 100;
/** Of the keyword's trigrams a candidate shares at least this part: two swapped letters leave a third of a short word. */
const SHARED_MIN = 0.3;
/** Every word of the keyword must be this much like a word of the name. */
const LIKENESS_MIN = 0.6;
/** From here on a find is close enough not to look further. */
const CLOSE_MIN = 0.8;
/** A piece in more names than this is common. */
const COMMON = 2_000;
/** So many names are walked through for one keyword; trigrams that most names have tell nothing. */
const WALKED_MAX = 30_000;
const WORDS_MAX = 8;
const LETTERS_MAX = 40;

/** A word of the keyword, with its likeness to the words it was compared with: many names share their words. */
type ComparedWord = { word: string; known: Map<number, number> };

/**
 * Finds names that are like a mistyped keyword. The trigrams they share name the candidates, the edit distance between
 * them ranks them. Kept in memory beside the tokens: the database would compare the keyword
 * with every name that shares a single piece, which takes a hundred times longer.
 */
export class NameLikeness {
  /** Every different word once; names hold its number. */
  readonly #vocabulary: string[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #words: (readonly number[])[] = [];
  readonly #index = new PieceIndex();
  /** How many trigrams of the keyword each place shares; all zero between searches. */
  #shared = new Uint16Array(1_024);

  /** Places are numbered from zero in the order of their adding. */
  add(place: number, texts: readonly string[]): void {
    const words = [...new Set(texts.flatMap((text) => wordsOf(text)))];
    this.#words[place] = words.map((word) => this.#numberOf(word));
    for (const trigram of new Set(words.flatMap(trigramsOf))) this.#index.add(trigram, place);
    if (place >= this.#shared.length) this.#shared = new Uint16Array(place * 2);
  }

  #numberOf(word: string): number {
    let number = this.#numbers.get(word);
    if (number === undefined) {
      number = this.#vocabulary.push(word) - 1;
      this.#numbers.set(word, number);
    }
    return number;
  }

  /** The most alike first, each with its likeness from 0 to 1. */
  find(keyword: string): { place: number; likeness: number }[] {
    const words = wordsOf(keyword);
    const compared = words.map((word) => ({ word, known: new Map<number, number>() }));
    const lists = words.flatMap(trigramsOf).map((trigram) => this.#index.places(trigram));
    // Pieces that thousands of names share tell little and cost most; they are asked where the others name nobody close.
    const telling = lists.filter((list) => list.length <= COMMON);
    if (telling.length < lists.length) {
      const found = this.#ranked(compared, this.#candidates(telling));
      if (found.length > 0 && found[0]!.likeness >= CLOSE_MIN) return found;
    }
    return this.#ranked(compared, this.#candidates(rarestOf(lists)));
  }

  #ranked(keyword: readonly ComparedWord[], candidates: readonly number[]): { place: number; likeness: number }[] {
    const found: { place: number; likeness: number }[] = [];
    for (const place of candidates) {
      const alike = this.#likeness(keyword, this.#words[place]!);
      if (alike > 0) found.push({ place, likeness: alike });
    }
    return found.sort((a, b) => b.likeness - a.likeness || a.place - b.place);
  }

  #likeness(keyword: readonly ComparedWord[], name: readonly number[]): number {
    let sum = 0;
    for (const { word, known } of keyword) {
      let best = 0;
      for (const number of name) {
        let alike = known.get(number);
        if (alike === undefined) {
          alike = wordLikeness(word, this.#vocabulary[number]!);
          known.set(number, alike);
        }
        if (alike > best) best = alike;
      }
      if (best < LIKENESS_MIN) return 0;
      sum += best;
    }
    return sum / keyword.length;
  }

  /** Those that are in the most lists, the older first among equals. */
  #candidates(lists: readonly Int32Array[]): number[] {
    const shared = this.#shared;
    const needed = Math.max(1, Math.ceil(lists.length * SHARED_MIN));
    const enough: number[] = [];
    for (const list of lists) {
      for (let i = 0; i < list.length; i += 1) {
        const place = list[i]!;
        const count = shared[place]! + 1;
        shared[place] = count;
        if (count === needed) enough.push(place);
      }
    }
    const byCount: number[][] = Array.from({ length: lists.length + 1 }, () => []);
    for (const place of enough) byCount[shared[place]!]!.push(place);
    for (const list of lists) for (let i = 0; i < list.length; i += 1) shared[list[i]!] = 0;
    const best: number[] = [];
    for (const places of byCount.toReversed()) {
      if (best.length >= CANDIDATES_MAX) break;
      best.push(...places.sort((a, b) => a - b).slice(0, CANDIDATES_MAX - best.length));
    }
    return best;
  }
}

/** The rarer half of the lists, and of the others those that are quickly walked as well. */
function rarestOf(lists: readonly Int32Array[]): Int32Array[] {
  const sorted = lists.toSorted((a, b) => a.length - b.length);
  let walked = 0;
  return sorted.filter((list, index) => {
    walked += list.length;
    return walked <= WALKED_MAX || index * 2 < sorted.length;
  });
}

/** Zero where the lengths alone say that it is too little. */
function wordLikeness(a: string, b: string): number {
  const longer = Math.max(a.length, b.length);
  if (1 - Math.abs(a.length - b.length) / longer < LIKENESS_MIN) return 0;
  return 1 - editDistance(a, b) / longer;
}

const WIDTH = LETTERS_MAX + 1;
let beforeLast = new Uint8Array(WIDTH);
let last = new Uint8Array(WIDTH);
let row = new Uint8Array(WIDTH);

/** How many letters were left out, added, replaced or swapped with their neighbour. Words are cut to `LETTERS_MAX`. */
function editDistance(a: string, b: string): number {
  for (let j = 0; j <= b.length; j += 1) last[j] = j;
  for (let i = 1; i <= a.length; i += 1) {
    row[0] = i;
    for (let j = 1; j <= b.length; j += 1) {
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, beforeLast[j - 2]! + 1);
      }
      row[j] = cost;
    }
    [beforeLast, last, row] = [last, row, beforeLast];
  }
  return last[b.length]!;
}

function wordsOf(text: string): string[] {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .slice(0, WORDS_MAX)
    .map((word) => word.slice(0, LETTERS_MAX));
}

function trigramsOf(word: string): string[] {
  const padded = `  ${word} `;
  return [...new Set(Array.from({ length: padded.length - 2 }, (_, index) => padded.slice(index, index + 3)))];
}
