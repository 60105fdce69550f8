/** Which places a piece of text occurs in, ascending. Numbers packed in a growing array: there are millions of them. */
export class Postings {
  #places = new Int32Array(4);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Places come ascending; one that was just added is not added again. */
  add(place: number): void {
    if (this.#length > 0 && this.#places[this.#length - 1] === place) return;
    if (this.#length === this.#places.length) {
      const larger = new Int32Array(this.#length * 2);
      larger.set(this.#places);
      this.#places = larger;
    }
    this.#places[this.#length] = place;
    this.#length += 1;
  }

  /** Valid until the next `add`. */
  places(): Int32Array {
    return this.#places.subarray(0, this.#length);
  }
}

const NONE = new Int32Array(0);

/** Postings by piece. */
export class PieceIndex {
  readonly #postings = new Map<string, Postings>();

  add(piece: string, place: number): void {
    let postings = this.#postings.get(piece);
    if (!postings) {
      postings = new Postings();
      this.#postings.set(piece, postings);
    }
    postings.add(place);
  }

  places(piece: string): Int32Array {
    return this.#postings.get(piece)?.places() ?? NONE;
  }
}
