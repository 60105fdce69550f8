import type { Clock } from '../../platform/clock.ts';

const ANSWERS_MAX = 2_000;

/**
 * Everybody who looks at the same list at the same moment gets the same answer: it is read once and shared for a part of
 * a second, which is less than what a screen shows as new and what the live stream brings anyway.
 */
export class SharedAnswers {
  readonly #clock: Clock;
  readonly #answers = new Map<string, { untilMs: number; answer: Promise<unknown> }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get<T>(key: string, forMs: number, read: () => Promise<T>): Promise<T> {
    const nowMs = this.#clock.nowMs();
    const known = this.#answers.get(key);
    if (known && known.untilMs > nowMs) return known.answer as Promise<T>;
    const answer = read();
    // A failure is nobody else's: the next one asks again.
    answer.catch(() => {
      if (this.#answers.get(key)?.answer === answer) this.#answers.delete(key);
    });
    if (this.#answers.size >= ANSWERS_MAX) this.#answers.clear();
    this.#answers.set(key, { untilMs: nowMs + forMs, answer });
    return answer;
  }
}
