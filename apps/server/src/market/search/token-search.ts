import type { Address } from '@hunter/solana/address';
import { topOf } from '../top-of.ts';
import { NameLikeness } from './name-likeness.ts';
import { PieceIndex } from './postings.ts';
import { SortedPlaces } from './sorted-places.ts';

/** Nobody pages further than this, and counting further costs more than the page. */
const FOUND_MAX = 300;
const PIECE_MAX = 3;
/** Where a keyword's rarest piece is in more names than this, walking down the liquidity finds enough of them sooner. */
const COMMON = 4_000;

type SearchedToken = { id: number; symbol: string; name: string; mint: Address };
/** Its texts are folded, so that its mint is none any more. */
type Entry = Omit<SearchedToken, 'mint'> & { mint: string; text: string; alive: boolean };
type Found<T> = { found: T[]; total: number };

/**
 * Finds tokens by name, symbol or address: exact symbol first, then exact name or address, then symbols that begin with
 * the keyword, then names that do, then whatever contains it; among equals the one with more liquidity. Only where nothing
 * contains the keyword is it taken for a typo, and what is most like it comes first.
 *
 * All of it is in memory: sorted symbols and names answer what begins with the keyword, an index of pieces of up to three
 * letters what contains it. An entry's place in the arrays never changes: a token with a new name gets a new place, and
 * its old one dies.
 */
export class TokenSearch {
  readonly #entries: Entry[] = [];
  readonly #places = new Map<number, number>();
  readonly #byMint = new Map<string, number>();
  readonly #bySymbol = new SortedPlaces((place) => this.#entries[place]!.symbol);
  readonly #byName = new SortedPlaces((place) => this.#entries[place]!.name);
  readonly #pieces = new PieceIndex();
  readonly #likeness = new NameLikeness();
  #liquidity = new Float64Array(1_024);
  /** Every place, the most liquid first; sorted again when somebody needs it. */
  #walk: number[] = [];
  #walkIsStale = true;

  /** A later name of the same token replaces the former. */
  add(token: SearchedToken): void {
    const [symbol, name, mint] = [fold(token.symbol), fold(token.name), fold(token.mint)];
    const former = this.#places.get(token.id);
    if (former !== undefined) {
      const old = this.#entries[former]!;
      if (old.symbol === symbol && old.name === name) return;
      old.alive = false;
      this.#bySymbol.remove(former);
      this.#byName.remove(former);
    }
    const place = this.#entries.length;
    const text = `${symbol} ${name} ${mint}`;
    this.#entries.push({ id: token.id, symbol, name, mint, text, alive: true });
    this.#places.set(token.id, place);
    this.#byMint.set(mint, place);
    this.#bySymbol.add(place);
    this.#byName.add(place);
    this.#likeness.add(place, [token.symbol, token.name]);
    for (let start = 0; start < text.length; start += 1) {
      for (let length = 1; length <= PIECE_MAX && start + length <= text.length; length += 1) {
        this.#pieces.add(text.slice(start, start + length), place);
      }
    }
    if (place >= this.#liquidity.length) {
      const larger = new Float64Array(place * 2);
      larger.set(this.#liquidity);
      this.#liquidity = larger;
    }
    this.#liquidity[place] = former === undefined ? 0 : this.#liquidity[former]!;
    this.#walkIsStale = true;
  }

  /** Only for the order among equals, for which a double is exact enough. */
  setLiquidity(id: number, liquidity: number): void {
    const place = this.#places.get(id);
    if (place === undefined || this.#liquidity[place] === liquidity) return;
    this.#liquidity[place] = liquidity;
    this.#walkIsStale = true;
  }

  /** Ids of the tokens from `offset` on, and how many there are in all, up to a limit. */
  find(text: string, offset: number, size: number): Found<number> {
    const keyword = fold(text);
    const containing = this.#containing(keyword, Math.min(offset + size, FOUND_MAX));
    const { found, total } = containing.total > 0 ? containing : this.#alike(keyword);
    return { found: found.slice(offset, offset + size).map((place) => this.#entries[place]!.id), total };
  }

  #alike(keyword: string): Found<number> {
    const found = this.#likeness.find(keyword).map(({ place }) => place);
    const alive = found.filter((place) => this.#entries[place]!.alive);
    return { found: alive, total: alive.length };
  }

  /** The best `wanted` places in order, kind by kind; the later kinds are looked at only while there is room for them. */
  #containing(keyword: string, wanted: number): Found<number> {
    const found: number[] = [];
    let total = 0;
    const take = (members: readonly number[]): boolean => {
      total += members.length;
      found.push(...this.#richest(members, wanted - found.length));
      return total >= FOUND_MAX && found.length >= wanted;
    };
    const symbols = this.#bySymbol.startingWith(keyword);
    const names = this.#byName.startingWith(keyword);
    // What equals the keyword comes first in both.
    const exactSymbols = symbols.slice(
      0,
      countWhile(symbols, (place) => this.#entries[place]!.symbol === keyword),
    );
    const exactOthers = new Set(
      names.slice(
        0,
        countWhile(names, (place) => this.#entries[place]!.name === keyword),
      ),
    );
    const mint = this.#byMint.get(keyword);
    if (mint !== undefined) exactOthers.add(mint);
    for (const place of exactSymbols) exactOthers.delete(place);

    take(exactSymbols);
    take([...exactOthers]);
    const longerSymbols = symbols.slice(exactSymbols.length);
    if (take(exactOthers.size === 0 ? longerSymbols : longerSymbols.filter((place) => !exactOthers.has(place)))) {
      return { found, total: FOUND_MAX };
    }
    if (take(names.filter((place) => !exactOthers.has(place) && !this.#entries[place]!.symbol.startsWith(keyword)))) {
      return { found, total: FOUND_MAX };
    }
    take(this.#containingElsewhere(keyword, Math.max(FOUND_MAX - total, wanted - found.length)));
    return { found, total: Math.min(total, FOUND_MAX) };
  }

  /** What contains the keyword but neither begins with it nor is it; of very common keywords only the `enough` most liquid. */
  #containingElsewhere(keyword: string, enough: number): number[] {
    let rarest = this.#pieces.places(keyword.slice(0, PIECE_MAX));
    for (let start = 1; start + PIECE_MAX <= keyword.length; start += 1) {
      const places = this.#pieces.places(keyword.slice(start, start + PIECE_MAX));
      if (places.length < rarest.length) rarest = places;
    }
    const matches = (place: number): boolean => {
      const entry = this.#entries[place]!;
      return (
        entry.alive &&
        entry.text.includes(keyword) &&
        !entry.symbol.startsWith(keyword) &&
        !entry.name.startsWith(keyword) &&
        entry.mint !== keyword
      );
    };
    if (rarest.length <= COMMON) return Array.from(rarest).filter(matches);
    const found: number[] = [];
    for (const place of this.#mostLiquidFirst()) {
      if (matches(place)) found.push(place);
      if (found.length >= enough) break;
    }
    return found;
  }

  #richest(members: readonly number[], count: number): number[] {
    return count <= 0 ? [] : topOf(members, count, this.#byLiquidity);
  }

  #mostLiquidFirst(): readonly number[] {
    if (!this.#walkIsStale) return this.#walk;
    for (let place = this.#walk.length; place < this.#entries.length; place += 1) this.#walk.push(place);
    this.#walk.sort(this.#byLiquidity);
    this.#walkIsStale = false;
    return this.#walk;
  }

  readonly #byLiquidity = (a: number, b: number): number =>
    this.#liquidity[b]! - this.#liquidity[a]! || this.#entries[a]!.id - this.#entries[b]!.id;
}

/** Letters that look alike in width or form, such as full-width ones, are the same to whoever searches. */
function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

function countWhile(places: readonly number[], holds: (place: number) => boolean): number {
  const end = places.findIndex((place) => !holds(place));
  return end === -1 ? places.length : end;
}
