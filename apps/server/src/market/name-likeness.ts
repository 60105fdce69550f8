const CANDIDATES_MAX = 60;
/** Below this share of the keyword's trigrams a name is something else; a swapped pair of letters leaves about this many. */
const SHARED_MIN = 0.3;

/**
 * Finds names that are like a mistyped keyword, by the three-letter pieces they share. Kept in memory beside the tokens:
 * the database would compare the keyword with every name that shares a single piece, which takes a hundred times longer.
 */
export class NameLikeness {
  readonly #names = new Map<number, ReadonlySet<string>[]>();
  readonly #ids = new Map<string, Set<number>>();

  /** A later name of the same id replaces the former. */
  add(id: number, texts: readonly string[]): void {
    for (const old of this.#names.get(id) ?? []) for (const piece of old) this.#ids.get(piece)?.delete(id);
    const sets = texts.flatMap((text) => wordsOf(text)).map(trigramsOf);
    this.#names.set(id, sets);
    for (const set of sets) {
      for (const piece of set) {
        const ids = this.#ids.get(piece);
        if (ids) ids.add(id);
        else this.#ids.set(piece, new Set([id]));
      }
    }
  }

  /** The most alike first, each with its likeness from 0 to 1. */
  find(keyword: string): { id: number; likeness: number }[] {
    const words = wordsOf(keyword).map(trigramsOf);
    const shared = new Map<number, number>();
    for (const set of words) {
      for (const piece of set) {
        for (const id of this.#ids.get(piece) ?? []) shared.set(id, (shared.get(id) ?? 0) + 1);
      }
    }
    const pieces = words.reduce((sum, set) => sum + set.size, 0);
    return [...shared]
      .filter(([, count]) => count >= pieces * SHARED_MIN)
      .sort(([, a], [, b]) => b - a)
      .slice(0, CANDIDATES_MAX)
      .map(([id]) => ({ id, likeness: likeness(words, this.#names.get(id) ?? []) }))
      .filter((found) => found.likeness >= SHARED_MIN)
      .sort((a, b) => b.likeness - a.likeness || a.id - b.id);
  }
}

/** Each word of the keyword against the word of the name that is most like it, by shared pieces over all pieces. */
function likeness(keyword: readonly ReadonlySet<string>[], name: readonly ReadonlySet<string>[]): number {
  if (keyword.length === 0) return 0;
  const best = keyword.map((wanted) =>
    Math.max(0, ...name.map((word) => [...wanted].filter((piece) => word.has(piece)).length / union(wanted, word))),
  );
  return best.reduce((sum, value) => sum + value, 0) / keyword.length;
}

function union(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let count = a.size;
  for (const piece of b) if (!a.has(piece)) count += 1;
  return count;
}

function wordsOf(text: string): string[] {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .slice(0, 8);
}

function trigramsOf(word: string): ReadonlySet<string> {
  const padded = [' ', ' ', ...[...word].slice(0, 40), ' '];
  return new Set(padded.slice(2).map((_, index) => padded.slice(index, index + 3).join('')));
}
