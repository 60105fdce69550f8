/** FNV-1a over UTF-16 units, finished so that near keys give far values. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash ^= text.charCodeAt(index);
    hash = Math.imul(hash, 0x01000193);
  }
  return mixBits(hash);
}

/** Spreads every bit over all 32: the finish of MurmurHash3. */
export function mixBits(value: number): number {
  let mixed = value | 0;
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** A small seeded generator (sfc32): the same key gives the same run of values on every machine. */
export class SeededRandom {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(key: string | number) {
    this.#a = hashText(`${key}:a`) | 0;
    this.#b = hashText(`${key}:b`) | 0;
    this.#c = hashText(`${key}:c`) | 0;
    for (let round = 0; round < 12; round += 1) this.next();
  }

  /** Uniform in [0, 1). */
  next(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum;
    this.#c |= 0;
    return (sum >>> 0) / 4_294_967_296;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  whole(below: number): number {
    return Math.floor(this.next() * below);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<Value>(values: readonly Value[]): Value {
    if (values.length === 0) throw new RangeError('nothing to pick from');
    return values[this.whole(values.length)]!;
  }

  /** Standard normal, by Box and Muller. */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
  }

  /** Waiting time until the next event of a Poisson process with this mean. */
  exponential(mean: number): number {
    return -Math.log(1 - this.next()) * mean;
  }

  shuffled<Value>(values: readonly Value[]): Value[] {
    const copy = [...values];
    for (let index = copy.length - 1; index > 0; index -= 1) {
      const other = this.whole(index + 1);
      [copy[index], copy[other]] = [copy[other]!, copy[index]!];
    }
    return copy;
  }
}
