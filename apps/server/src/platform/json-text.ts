/**
 * A value that is JSON already, made once for all who ask for it. `T` is what it parses to: the encoder that made it
 * answers for that, and its tests compare the two.
 */
export class JsonText<T> {
  /** Text until it is first sent, then the bytes that are sent, so that only one of them takes up memory. */
  #text: string | null;
  #before = '';
  #after = '';
  #bytes: Buffer | null = null;
  declare readonly parsesTo?: T;

  constructor(text: string) {
    this.#text = text;
  }

  /** The value between two texts, as bytes to be sent. Whoever sends it uses the same two, so they are made once. */
  between(before: string, after: string): Buffer {
    if (this.#bytes === null || this.#before !== before || this.#after !== after) {
      this.#bytes = Buffer.from(`${before}${this.#value()}${after}`);
      this.#before = before;
      this.#after = after;
      this.#text = null;
    }
    return this.#bytes;
  }

  parse(): T {
    return JSON.parse(this.#value()) as T;
  }

  #value(): string {
    if (this.#text !== null) return this.#text;
    const bytes = this.#bytes!;
    return bytes.toString('utf8', Buffer.byteLength(this.#before), bytes.length - Buffer.byteLength(this.#after));
  }
}
