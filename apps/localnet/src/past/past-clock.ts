// The clock of a past that is being made. The server has none of its own meanwhile: it asks here what time it is, and its
// question says how far it has got with the time before. So chain and server never differ, and time moves on only when both
// have seen the last moment.

/** What the server says with each question. */
export type ServerNews = {
  /** Orders, transfers, joins and exits that have begun and are not over. */
  unfinished: number;
  /** Up to when its market is complete; null before the first time. */
  marketAtMs: number | null;
  /** The past is over for it: nothing that it began is left. */
  hasLeft?: boolean;
};

type Told = { nowMs: number } | { over: true };

export class PastClock {
  #nowMs: number;
  #asked: { news: ServerNews; tell: (told: Told) => void } | null = null;
  #onAsked: (() => void) | null = null;

  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  get nowMs(): number {
    return this.#nowMs;
  }

  /** Answers a question of the server once the time has changed. */
  answer(body: unknown): Promise<Told> {
    const news = body as ServerNews;
    return new Promise((tell) => {
      this.#asked = { news, tell };
      this.#onAsked?.();
    });
  }

  /** The next question, asked when the server has seen the present time. */
  async seen(): Promise<ServerNews> {
    while (this.#asked === null) {
      await new Promise<void>((resolve) => {
        this.#onAsked = resolve;
      });
    }
    return this.#asked.news;
  }

  /** For whoever needs the time before the server hears of it. */
  move(nowMs: number): void {
    this.#nowMs = Math.max(this.#nowMs, nowMs);
  }

  /** Tells the server the present time and waits until it has seen it. */
  async tell(): Promise<ServerNews> {
    await this.#reply({ nowMs: this.#nowMs });
    return this.seen();
  }

  /** Lets the server finish; until it says that it has left, it needs the time as before. */
  async end(): Promise<ServerNews> {
    await this.#reply({ over: true });
    return this.seen();
  }

  async #reply(told: Told): Promise<void> {
    await this.seen();
    const { tell } = this.#asked!;
    this.#asked = null;
    tell(told);
  }
}
