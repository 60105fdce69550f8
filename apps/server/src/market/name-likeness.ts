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
  readonly #words = new Map<number, readonly string[]>();
  readonly #ids = new Map<string, Set<number>>();

  /** A later name of the same id replaces the former. */
  add(id: number, texts: readonly string[]): void {
    for (const old of this.#words.get(id) ?? []) for (const piece of piecesOf(old)) this.#ids.get(piece)?.delete(id);
    const words = [...new Set(texts.flatMap((text) => wordsOf(text)))];
    this.#words.set(id, words);
    for (const piece of words.flatMap(piecesOf)) {
      const ids = this.#ids.get(piece);
      if (ids) ids.add(id);
      else this.#ids.set(piece, new Set([id]));
    }
  }

  /** The most alike first, each with its likeness from 0 to 1. */
  find(keyword: string): { id: number; likeness: number }[] {
    const words = wordsOf(keyword);
    const pieces = words.flatMap(piecesOf);
    const shared = new Map<number, number>();
    for (const piece of pieces) {
      for (const id of this.#ids.get(piece) ?? []) shared.set(id, (shared.get(id) ?? 0) + 1);
    }
    return [...shared]
      .filter(([, count]) => count >= pieces.length * SHARED_MIN)
      .sort(([, a], [, b]) => b - a)
      .slice(0, CANDIDATES_MAX)
      .map(([id]) => ({ id, likeness: likeness(words, this.#words.get(id) ?? []) }))
      .filter((found) => found.likeness > 0)
      .sort((a, b) => b.likeness - a.likeness || a.id - b.id);
  }
}

function likeness(keyword: readonly string[], name: readonly string[]): number {
  const best = keyword.map((wanted) =>
    Math.max(0, ...name.map((word) => 1 - slips(wanted, word) / Math.max(wanted.length, word.length))),
  );
  if (best.some((value) => value < LIKENESS_MIN)) return 0;
  return best.reduce((sum, value) => sum + value, 0) / keyword.length;
}

/** How many letters were left out, added, replaced or swapped with their neighbour. */
function slips(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, beforeLast[j - 2]! + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
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
