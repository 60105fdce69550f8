import type { Bus } from '../platform/bus/bus.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { Loop } from '../platform/loop.ts';
import { BEAT_MS, MARKET_SUBJECT, type MarketNews } from './market-feed.ts';
import type { MarketStore } from './market-store.ts';
import type { MarketReads } from './reads/market-reads.ts';
import type { TokenSafetyIndex } from './safety/token-safety-index.ts';

/** Without a word for this long, what is kept in memory may be behind the store. */
const QUIET_MS = 2.5 * BEAT_MS;

/**
 * Keeps the market of this process in memory as another process indexes it. Each message names the number of the one before;
 * where that is not the last one heard, something was lost, and everything is read from the store again. While nothing is
 * heard at all it is read again every second: answers then cost more, and stay right.
 */
export class MarketFollower {
  readonly #bus: Bus;
  readonly #store: MarketStore;
  readonly #safety: TokenSafetyIndex;
  readonly #reads: MarketReads;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #watch: Loop;
  #stops: (() => void)[] = [];
  #handled: Promise<void> = Promise.resolve();
  #last: { feed: string; sequence: number } | null = null;
  #heardMs: number | null = null;
  #knownUntilMs: number | null = null;
  #isFollowing = false;

  constructor(deps: {
    bus: Bus;
    store: MarketStore;
    safety: TokenSafetyIndex;
    reads: MarketReads;
    clock: Clock;
    log: Log;
    /** What else a follower needs once the venue answers. */
    prepare: () => Promise<void>;
  }) {
    this.#bus = deps.bus;
    this.#store = deps.store;
    this.#safety = deps.safety;
    this.#reads = deps.reads;
    this.#clock = deps.clock;
    this.#log = deps.log;
    const { clock, log } = deps;
    this.#watch = new Loop({
      name: 'watch over the market feed',
      work: async () => {
        await deps.prepare();
        if (!this.#isCurrent()) await this.#readAgain();
      },
      everyMs: BEAT_MS,
      restFactor: 1,
      clock,
      log,
    });
  }

  get isFollowing(): boolean {
    return this.#isFollowing;
  }

  /** Before the store is first read, so that nothing falls between. */
  async start(): Promise<void> {
    this.#isFollowing = true;
    this.#stops = [
      this.#bus.subscribe(MARKET_SUBJECT, (message) => this.#hear(message as MarketNews)),
      this.#bus.onGap(() => (this.#last = null)),
    ];
    await this.#bus.flush();
    this.#watch.start();
  }

  /** From now on this process indexes itself. Whoever did so before may have stored what he could not tell any more. */
  async takeOver(): Promise<void> {
    await this.#handled;
    await this.#readAgain();
    this.stop();
  }

  stop(): void {
    if (!this.#isFollowing) return;
    this.#isFollowing = false;
    for (const stop of this.#stops) stop();
    void this.#watch.stop();
  }

  lagMs(): number | null {
    return this.#knownUntilMs === null ? null : this.#clock.nowMs() - this.#knownUntilMs;
  }

  #isCurrent(): boolean {
    return this.#heardMs !== null && this.#clock.nowMs() - this.#heardMs < QUIET_MS;
  }

  #hear(news: MarketNews): void {
    this.#heardMs = this.#clock.nowMs();
    this.#knownUntilMs = news.lagMs === null ? null : this.#heardMs - news.lagMs;
    const hasGap = this.#last?.feed !== news.feed || this.#last.sequence !== news.previous;
    this.#last = { feed: news.feed, sequence: news.sequence };
    // One after the other: trades of a token come after the token.
    this.#handled = this.#handled
      .then(() => (hasGap ? this.#readAgain() : this.#apply(news)))
      .catch((error: unknown) => {
        this.#last = null;
        this.#log.warn({ err: error }, 'following the market failed; reading it again with the next message');
      });
  }

  async #apply({ saved, changed, read, trades }: MarketNews): Promise<void> {
    await this.#store.tokens.reload(saved);
    const tokenIds = [...changed, ...read];
    if (tokenIds.length > 0) await this.#safety.load(tokenIds);
    this.#reads.board.changed(tokenIds);
    this.#store.tell(trades);
  }

  async #readAgain(): Promise<void> {
    await this.#store.tokens.load();
    await this.#safety.load();
    this.#store.reset();
  }
}
