import type { Logo } from './fetch-logo.ts';

/** Pictures up to so many bytes together; those that were asked for longest ago make room. Whoever makes a token chooses their size. */
export class PictureCache {
  readonly #bytesMax: number;
  readonly #pictures = new Map<string, Logo>();
  #bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  get(key: string): Logo | undefined {
    const logo = this.#pictures.get(key);
    if (logo !== undefined) {
      // The last in the map is the last to go.
      this.#pictures.delete(key);
      this.#pictures.set(key, logo);
    }
    return logo;
  }

  set(key: string, logo: Logo): void {
    this.#remove(key);
    this.#pictures.set(key, logo);
    this.#bytes += logo.bytes.length;
    for (const oldest of this.#pictures.keys()) {
      if (this.#bytes <= this.#bytesMax) break;
      this.#remove(oldest);
    }
  }

  #remove(key: string): void {
    this.#bytes -= this.#pictures.get(key)?.bytes.length ?? 0;
    this.#pictures.delete(key);
  }
}
