/**
 * A map of at most `capacity` entries that keeps at least the half of them that were asked for last. They lie in two maps: what is
 * found in the older one moves to the newer, and when that is full the older one is dropped. An order of all entries by their
 * use would cost a removal and an insertion with every question.
 */
export class BoundedCache<Key, Value> {
  readonly #half: number;
  #newer = new Map<Key, Value>();
  #older = new Map<Key, Value>();

  constructor(capacity: number) {
    this.#half = Math.max(1, Math.floor(capacity / 2));
  }

  get(key: Key): Value | undefined {
    const known = this.#newer.get(key);
    if (known !== undefined) return known;
    const value = this.#older.get(key);
    if (value !== undefined) this.set(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    if (this.#newer.size >= this.#half && !this.#newer.has(key)) {
      this.#older = this.#newer;
      this.#newer = new Map();
    }
    this.#newer.set(key, value);
  }
}
