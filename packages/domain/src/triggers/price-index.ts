import type { LevelUnit } from './trigger.ts';

type Entry = { readonly unit: LevelUnit; readonly when: 'below' | 'above'; readonly at: number };
export type Placed = Entry & { readonly id: string };

/** Ids by price, ascending. */
class SortedLevels {
  readonly #prices: number[];
  readonly #ids: string[];

  constructor(placed: readonly Placed[] = []) {
    const sorted = placed.toSorted((one, other) => one.at - other.at || 0);
    this.#prices = sorted.map(({ at }) => at);
    this.#ids = sorted.map(({ id }) => id);
  }

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

type Levels = Record<LevelUnit, Record<Entry['when'], SortedLevels>>;

/** Which levels a price has reached, found by halving: the others are not touched. */
export class PriceIndex {
  readonly #entries = new Map<string, Entry>();
  #levels = levelsOf([]);

  set(id: string, entry: Entry): void {
    this.delete(id);
    this.#entries.set(id, entry);
    this.#levels[entry.unit][entry.when].add(id, entry.at);
  }

  delete(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    this.#entries.delete(id);
    this.#levels[entry.unit][entry.when].remove(id, entry.at);
  }

  /** All of them anew: one sort instead of as many moves as there are levels. */
  replaceAll(placed: readonly Placed[]): void {
    this.#entries.clear();
    for (const one of placed) this.#entries.set(one.id, one);
    this.#levels = levelsOf(placed);
  }

  /** Those whose level is reached at this price, or would be within `margin` of it. */
  reached(unit: LevelUnit, price: number, margin: number): string[] {
    const { below, above } = this.#levels[unit];
    return below.atLeast(price * (1 - margin)).concat(above.atMost(price * (1 + margin)));
  }
}

function levelsOf(placed: readonly Placed[]): Levels {
  const of = (unit: LevelUnit) => {
    const own = placed.filter((one) => one.unit === unit);
    return {
      below: new SortedLevels(own.filter(({ when }) => when === 'below')),
      above: new SortedLevels(own.filter(({ when }) => when === 'above')),
    };
  };
  return { sol: of('sol'), usd: of('usd'), 'market-cap': of('market-cap') };
}
