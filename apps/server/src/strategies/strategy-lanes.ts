/**
 * One thing at a time per strategy: the fractions that followers copy are fractions of what the creator held, so a round begins
 * when the one before has ended. Lanes are inside this process; between processes the strategy's row lock orders intents.
 */
export class StrategyLanes {
  readonly #tails = new Map<string, Promise<unknown>>();
  readonly #rounds = new Set<string>();

  /** Rounds that this process is at work on; whoever ends forgotten ones leaves these alone. */
  inHand(): string[] {
    return [...this.#rounds];
  }

  took(roundId: string): void {
    this.#rounds.add(roundId);
  }

  gave(roundId: string): void {
    this.#rounds.delete(roundId);
  }

  async run<T>(strategyId: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(strategyId) ?? Promise.resolve();
    const running = before.then(work, work);
    const tail = running.catch(() => {});
    this.#tails.set(strategyId, tail);
    try {
      return await running;
    } finally {
      if (this.#tails.get(strategyId) === tail) this.#tails.delete(strategyId);
    }
  }
}
