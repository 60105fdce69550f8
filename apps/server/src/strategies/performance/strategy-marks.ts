// Which strategies have to be valued again. A mark costs reads of all books behind a strategy, and most of the time nothing that
// they hold has changed its price.

import { FOLLOW_LASTED_MS } from '@hunter/domain/record/follower-return';
import type { Address } from '@hunter/solana/address';
import type { Follows } from './follow-results.ts';

/** Values that changed without anybody telling of it are seen after so long. */
const MARK_ALL_MS = 300_000;
/** A follow that counts lasted longer, so the mark before its end has seen it open. */
const FOLLOWS_KNOWN_MS = FOLLOW_LASTED_MS / 2;

export type LastMark = {
  readonly atMs: number;
  readonly follows: Follows;
  /** What the books of creator and followers held. */
  readonly mints: ReadonlySet<Address>;
  /** Left as it was, because a coin had no price or the strategy was trading. */
  readonly isSkipped: boolean;
};

/** Of a strategy that this process has not marked yet nothing is known. */
export function needsMark(last: LastMark | undefined, moved: ReadonlySet<Address>, nowMs: number): boolean {
  if (last === undefined || last.isSkipped) return true;
  return nowMs - last.atMs >= MARK_ALL_MS || [...last.mints].some((mint) => moved.has(mint));
}

/** What this process knows of the last marks, and the coins that were traded since. Forgotten by a crash, harmlessly. */
export class StrategyMarks {
  readonly #last = new Map<string, LastMark>();
  #moved = new Set<Address>();

  /** Called for every stored trade, so it does as good as nothing. */
  pricesMoved(mints: Iterable<Address>): void {
    for (const mint of mints) this.#moved.add(mint);
  }

  marked(id: string, mark: LastMark): void {
    this.#last.set(id, mark);
  }

  /** They are marked with the next that need it. */
  forget(ids: Iterable<string>): void {
    for (const id of ids) this.#last.delete(id);
  }

  /** What the last mark knew; null where it was not here or too long ago. */
  followsOf(id: string, nowMs: number): Follows | null {
    const last = this.#last.get(id);
    return last === undefined || nowMs - last.atMs >= FOLLOWS_KNOWN_MS ? null : last.follows;
  }

  /** Everything that was held at the last marks. */
  mints(): Address[] {
    return [...new Set([...this.#last.values()].flatMap(({ mints }) => [...mints]))];
  }

  /** Has those of the running strategies marked that need it; what moved is kept where that fails. */
  async markNeeded(
    running: readonly string[],
    nowMs: number,
    mark: (needed: readonly string[]) => Promise<void>,
  ): Promise<void> {
    const isRunning = new Set(running);
    for (const id of this.#last.keys()) if (!isRunning.has(id)) this.#last.delete(id);
    const moved = this.#moved;
    this.#moved = new Set();
    try {
      await mark(running.filter((id) => needsMark(this.#last.get(id), moved, nowMs)));
    } catch (error) {
      this.pricesMoved(moved);
      throw error;
    }
  }
}
