/** So few new places are put in one by one; for more, sorting everything is quicker. */
const INSERTS_MAX = 64;

/** Places sorted by a text of theirs, to find those that begin with something. */
export class SortedPlaces {
  readonly #textOf: (place: number) => string;
  readonly #sorted: number[] = [];
  #added: number[] = [];

  constructor(textOf: (place: number) => string) {
    this.#textOf = textOf;
  }

  add(place: number): void {
    this.#added.push(place);
  }

  remove(place: number): void {
    this.#settle();
    const index = this.#sorted.indexOf(place);
    if (index !== -1) this.#sorted.splice(index, 1);
  }

  /** Those that begin with `prefix`; the ones that equal it come first. */
  startingWith(prefix: string): number[] {
    this.#settle();
    const from = this.#firstAtLeast(prefix);
    // No text that begins with the prefix sorts behind the prefix followed by the largest character there is.
    return this.#sorted.slice(from, this.#firstAtLeast(`${prefix}\uffff`));
  }

  #settle(): void {
    if (this.#added.length === 0) return;
    const added = this.#added;
    this.#added = [];
    if (added.length > INSERTS_MAX) {
      for (const place of added) this.#sorted.push(place);
      this.#sorted.sort((a, b) => {
        const [left, right] = [this.#textOf(a), this.#textOf(b)];
        return left < right ? -1 : left > right ? 1 : a - b;
      });
      return;
    }
    for (const place of added) this.#sorted.splice(this.#firstAtLeast(this.#textOf(place)), 0, place);
  }

  #firstAtLeast(text: string): number {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#textOf(this.#sorted[middle]!) < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
