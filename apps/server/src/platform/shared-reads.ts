/**
 * One reading for all who want the same at the same time. Whoever asks while it is under way shares the next one with the others
 * who do: that begins after they asked, so that nobody gets an answer from before his question.
 */
export class SharedReads<T> {
  readonly #underWay = new Map<string, Promise<T>>();
  readonly #next = new Map<string, Promise<T>>();

  read(key: string, load: () => Promise<T>): Promise<T> {
    const underWay = this.#underWay.get(key);
    if (!underWay) return this.#begin(key, load);
    const waiting = this.#next.get(key);
    if (waiting) return waiting;
    const begin = () => {
      this.#next.delete(key);
      return this.#begin(key, load);
    };
    const next = underWay.then(begin, begin);
    this.#next.set(key, next);
    return next;
  }

  #begin(key: string, load: () => Promise<T>): Promise<T> {
    const reading = load().finally(() => {
      if (this.#underWay.get(key) === reading) this.#underWay.delete(key);
    });
    this.#underWay.set(key, reading);
    return reading;
  }
}
