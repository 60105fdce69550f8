import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Database } from '../../platform/postgres.ts';
import type { MarketStore } from '../market-store.ts';
import type { StoredTrade } from '../stored-trade.ts';
import type { RiskOf } from './hot-token.ts';
import { DiscoverLists } from './discover-lists.ts';
import { RecentCandles } from './recent-candles.ts';
import { RecentTrades } from './recent-trades.ts';
import { TokenBoard } from './token-board.ts';

/** What is kept in memory for readers, all of it following what this process stores. */
export class MarketReads {
  readonly board: TokenBoard;
  readonly trades: RecentTrades;
  readonly candles: RecentCandles;
  readonly discover: DiscoverLists;
  /** How old what is known of the market is; null before any of it was stored. */
  readonly lagMs: () => number | null;
  readonly #store: MarketStore;
  readonly #stops: (() => void)[] = [];

  constructor(deps: {
    database: Database;
    store: MarketStore;
    riskOf: RiskOf;
    lagMs: () => number | null;
    clock: Clock;
    log: Log;
  }) {
    const { database, store, riskOf, lagMs, clock, log } = deps;
    this.lagMs = lagMs;
    this.#store = store;
    this.board = new TokenBoard({ sql: database, search: store.tokens.search, riskOf, lagMs, clock, log });
    this.discover = new DiscoverLists({ board: this.board, tokens: store.tokens, riskOf, clock });
    this.trades = new RecentTrades(database, store.tokens);
    this.candles = new RecentCandles(database, store.tokens, clock);
  }

  async start(): Promise<void> {
    this.#stops.push(
      this.#store.onTrades((trades) => this.#tell(trades)),
      this.#store.tokens.onSaved((ids) => this.board.changed(ids.flatMap((id) => [id, ...this.#siblingsOf(id)]))),
      this.#store.onReset(() => this.#readAgain()),
    );
    await this.board.load();
    this.board.start();
  }

  async stop(): Promise<void> {
    for (const stop of this.#stops) stop();
    await this.board.stop();
  }

  /** Each shows how many tokens its creator has. */
  #siblingsOf(id: number): Iterable<number> {
    const creator = this.#store.tokens.byId(id)?.creator;
    return creator == null ? [] : this.#store.tokens.ofCreator(creator);
  }

  #readAgain(): void {
    // Tokens that were saved meanwhile are not on the board yet.
    this.board.changed(Array.from(this.#store.tokens.all(), ({ id }) => id));
    this.trades.forgetAll();
    this.candles.forgetAll();
  }

  #tell(trades: readonly StoredTrade[]): void {
    const byToken = Map.groupBy(trades, (trade) => trade.tokenId);
    this.board.changed(byToken.keys());
    for (const [tokenId, own] of byToken) {
      this.trades.tell(tokenId, own);
      this.candles.tell(tokenId, own);
    }
  }
}
