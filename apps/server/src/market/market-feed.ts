import { randomUUID } from 'node:crypto';
import type { Bus } from '../platform/bus/bus.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { Loop } from '../platform/loop.ts';
import type { MarketStore } from './market-store.ts';
import type { StoredTrade } from './stored-trade.ts';

export const MARKET_SUBJECT = 'market';
/** Without news a message this often says that there is none. */
export const BEAT_MS = 1_000;

/** What the indexer tells those who keep the market in memory: after the commit, in order, each with the number before it. */
export type MarketNews = {
  /** Of the indexer that speaks: another one counts from its own beginning. */
  readonly feed: string;
  readonly previous: number;
  readonly sequence: number;
  readonly lagMs: number | null;
  /** Tokens that were saved. */
  readonly saved: readonly number[];
  /** Tokens whose figures changed without a trade. */
  readonly changed: readonly number[];
  /** Tokens whose safety was read. */
  readonly read: readonly number[];
  readonly trades: readonly StoredTrade[];
};

/** Says what the indexer stored, where other processes listen. */
export class MarketFeed {
  readonly #bus: Bus;
  readonly #store: MarketStore;
  readonly #lagMs: () => number | null;
  readonly #id = randomUUID();
  readonly #beat: Loop;
  #sequence = 0;
  #isStarted = false;
  #stops: (() => void)[] = [];

  constructor(deps: { bus: Bus; store: MarketStore; lagMs: () => number | null; clock: Clock; log: Log }) {
    this.#bus = deps.bus;
    this.#store = deps.store;
    this.#lagMs = deps.lagMs;
    const { clock, log } = deps;
    this.#beat = new Loop({ name: 'market feed', work: async () => this.#tell({}), everyMs: BEAT_MS, clock, log });
  }

  start(): void {
    this.#isStarted = true;
    this.#stops = [
      this.#store.onTrades((trades) => this.#tell({ trades })),
      this.#store.tokens.onSaved((saved) => this.#tell({ saved })),
      // A number left out: whoever follows reads everything again.
      this.#store.onReset(() => void (this.#sequence += 1)),
    ];
    if (this.#bus.isHeard(MARKET_SUBJECT)) this.#beat.start();
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops) stop();
    await this.#beat.stop();
  }

  changed(changed: readonly number[]): void {
    this.#tell({ changed });
  }

  read(read: readonly number[]): void {
    this.#tell({ read });
  }

  #tell(news: Partial<Pick<MarketNews, 'saved' | 'changed' | 'read' | 'trades'>>): void {
    if (!this.#isStarted || !this.#bus.isHeard(MARKET_SUBJECT)) return;
    const previous = this.#sequence;
    this.#sequence += 1;
    this.#bus.publish(MARKET_SUBJECT, {
      feed: this.#id,
      previous,
      sequence: this.#sequence,
      lagMs: this.#lagMs(),
      saved: [],
      changed: [],
      read: [],
      trades: [],
      ...news,
    } satisfies MarketNews);
  }
}
