import type { LevelUnit } from './trigger.ts';

type Entry = { readonly unit: LevelUnit; readonly when: 'below' | 'above'; readonly at: number };

/** Ids by price, ascending. */
class SortedLevels {
  readonly #prices: number[] = [];
  readonly #ids: string[] = [];

  add(id: string, at: number): void {
    const place = this.#placeOf(at);
    this.#prices.splice(place, 0, at);
    this.#ids.splice(place, 0, id);
  }

  remove(id: string, at: number): void {
    for (let place = this.#placeOf(at); this.#prices[place] === at; place += 1) {
      if (this.#ids[place] !== id) continue;
      this.#prices.splice(place, 1);
      this.#ids.splice(place, 1);
      return;
    }
  }

  atLeast(price: number): string[] {
    return this.#ids.slice(this.#placeOf(price));
  }

  atMost(price: number): string[] {
    let end = this.#placeOf(price);
    while (this.#prices[end] === price) end += 1;
    return this.#ids.slice(0, end);
  }

  /** The first place whose price is not below this one. */
  #placeOf(price: number): number {
    let low = 0;
    let high = this.#prices.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#prices[middle]! < price) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Which levels a price has reached, found by halving: the others are not touched. */
export class PriceIndex {
  readonly #entries = new Map<string, Entry>();
  readonly #levels = new Map<string, SortedLevels>();

  set(id: string, entry: Entry): void {
    this.delete(id);
    this.#entries.set(id, entry);
    this.#of(entry).add(id, entry.at);
  }

  delete(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    this.#entries.delete(id);
    this.#of(entry).remove(id, entry.at);
  }

  /** Those whose level is reached at this price, or would be within `margin` of it. */
  reached(unit: LevelUnit, price: number, margin: number): string[] {
    const below = this.#of({ unit, when: 'below' }).atLeast(price * (1 - margin));
    const above = this.#of({ unit, when: 'above' }).atMost(price * (1 + margin));
    return below.concat(above);
  }

  #of({ unit, when }: Pick<Entry, 'unit' | 'when'>): SortedLevels {
    const key = `${unit} ${when}`;
    const known = this.#levels.get(key);
    if (known) return known;
    const made = new SortedLevels();
    this.#levels.set(key, made);
    return made;
  }
}
