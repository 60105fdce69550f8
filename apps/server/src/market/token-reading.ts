import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { TokenDirectory, TokenRow } from './token-directory.ts';

const LEFT_ALONE_MS = 60_000;

/**
 * Reads tokens from the chain, one after the other. One that cannot be read, such as one with more accounts than the node tells of, is
 * left alone for a minute, so that it keeps no other waiting.
 */
export class TokenReading {
  /** A noun for the log, such as "reading of holders". */
  readonly #name: string;
  readonly #tokens: Pick<TokenDirectory, 'byId'>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #leftAloneUntilMs = new Map<number, number>();

  constructor(deps: { name: string; tokens: Pick<TokenDirectory, 'byId'>; clock: Clock; log: Log }) {
    this.#name = deps.name;
    this.#tokens = deps.tokens;
    this.#clock = deps.clock;
    this.#log = deps.log;
  }

  leftAlone(): number[] {
    const nowMs = this.#clock.nowMs();
    for (const [id, untilMs] of this.#leftAloneUntilMs) if (untilMs <= nowMs) this.#leftAloneUntilMs.delete(id);
    return [...this.#leftAloneUntilMs.keys()];
  }

  leaveAlone(id: number, forMs: number): void {
    this.#leftAloneUntilMs.set(id, this.#clock.nowMs() + forMs);
  }

  /** Throws where none of them could be read: then the fault is hardly theirs. */
  async each(ids: readonly number[], read: (token: TokenRow) => Promise<void>): Promise<void> {
    const failures: unknown[] = [];
    for (const id of ids) {
      const token = this.#tokens.byId(id);
      try {
        if (token) await read(token);
      } catch (error) {
        failures.push(error);
        this.leaveAlone(id, LEFT_ALONE_MS);
        this.#log.warn({ mint: token!.mint, err: error }, `${this.#name} failed for a token; retrying in a minute`);
      }
    }
    if (failures.length > 0 && failures.length === ids.length) throw failures[0];
  }
}
