import { PieceIndex } from './postings.ts';

const CANDIDATES_MAX = 100;
/** Of the keyword's three-letter pieces a candidate shares at least this part: two swapped letters leave a third of a short word. */
const SHARED_MIN = 0.3;
/** Every word of the keyword must be this much like a word of the name. */
const LIKENESS_MIN = 0.6;
const WORDS_MAX = 8;
const LETTERS_MAX = 40;

/**
 * Finds names that are like a mistyped keyword. The three-letter pieces they share name the candidates, the number of
 * slips of the finger between them ranks them. Kept in memory beside the tokens: the database would compare the keyword
 * with every name that shares a single piece, which takes a hundred times longer.
 */
export class NameLikeness {
  readonly #words: (readonly string[])[] = [];
  readonly #index = new PieceIndex();
  /** How many pieces of the keyword each place shares; all zero between searches. */
  #shared = new Uint16Array(1_024);

  /** Places are numbered from zero in the order of their adding. */
  add(place: number, texts: readonly string[]): void {
    const words = [...new Set(texts.flatMap((text) => wordsOf(text)))];
    this.#words[place] = words;
    for (const piece of new Set(words.flatMap(piecesOf))) this.#index.add(piece, place);
    if (place >= this.#shared.length) this.#shared = new Uint16Array(place * 2);
  }

  /** The most alike first, each with its likeness from 0 to 1. */
  find(keyword: string): { place: number; likeness: number }[] {
    const words = wordsOf(keyword);
    const known = new Map<string, number>();
    const found: { place: number; likeness: number }[] = [];
    for (const place of this.#candidates(words.flatMap(piecesOf))) {
      const alike = likeness(words, this.#words[place]!, known);
      if (alike > 0) found.push({ place, likeness: alike });
    }
    return found.sort((a, b) => b.likeness - a.likeness || a.place - b.place);
  }

  /** Those that share the most pieces; counting is a walk through packed numbers, so that common pieces stay cheap. */
  #candidates(pieces: readonly string[]): number[] {
    const shared = this.#shared;
    const lists = pieces.map((piece) => this.#index.places(piece));
    for (const list of lists) for (let i = 0; i < list.length; i += 1) shared[list[i]!]! += 1;
    const needed = Math.max(1, Math.ceil(pieces.length * SHARED_MIN));
    const byCount: number[][] = Array.from({ length: pieces.length + 1 }, () => []);
    for (const list of lists) {
      for (let i = 0; i < list.length; i += 1) {
        const place = list[i]!;
        const count = shared[place]!;
        if (count === 0) continue;
        shared[place] = 0;
        if (count >= needed) byCount[count]!.push(place);
      }
    }
    const candidates: number[] = [];
    for (let count = pieces.length; count >= needed && candidates.length < CANDIDATES_MAX; count -= 1) {
      const places = byCount[count]!.sort((a, b) => a - b);
      for (const place of places.slice(0, CANDIDATES_MAX - candidates.length)) candidates.push(place);
    }
    return candidates;
  }
}

/** `known` remembers pairs of words that were compared before: many names share their words. */
function likeness(keyword: readonly string[], name: readonly string[], known: Map<string, number>): number {
  let sum = 0;
  for (const wanted of keyword) {
    let best = 0;
    for (const word of name) {
      const pair = `${wanted} ${word}`;
      let alike = known.get(pair);
      if (alike === undefined) {
        alike = wordLikeness(wanted, word);
        known.set(pair, alike);
      }
      if (alike > best) best = alike;
    }
    if (best < LIKENESS_MIN) return 0;
    sum += best;
  }
  return sum / keyword.length;
}

/** Zero where the lengths alone say that it is too little. */
function wordLikeness(a: string, b: string): number {
  const longer = Math.max(a.length, b.length);
  if (1 - Math.abs(a.length - b.length) / longer < LIKENESS_MIN) return 0;
  return 1 - slips(a, b) / longer;
}

const WIDTH = LETTERS_MAX + 1;
let beforeLast = new Uint8Array(WIDTH);
let last = new Uint8Array(WIDTH);
let row = new Uint8Array(WIDTH);

/** How many letters were left out, added, replaced or swapped with their neighbour. Words are cut to `LETTERS_MAX`. */
function slips(a: string, b: string): number {
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

function piecesOf(word: string): string[] {
  const padded = `  ${word} `;
  return [...new Set(Array.from({ length: padded.length - 2 }, (_, index) => padded.slice(index, index + 3)))];
}
