import { bucketStartMs, CANDLE_INTERVALS, intervalMs } from '@hunter/domain/market/candle-interval';
import { isReadInto } from '@hunter/domain/market/known-window';
import type { Address } from '@hunter/solana/address';
import type { Clock } from '../platform/clock.ts';
import type { LiveBus } from '../platform/live-bus.ts';
import type { Log } from '../platform/log.ts';
import { Loop } from '../platform/loop.ts';
import type { Database } from '../platform/postgres.ts';
import type { MarketStore } from './market-store.ts';
import type { StoredTrade } from './stored-trade.ts';
import { loadKlines } from './reads/klines.ts';
import { printTrade } from './reads/token-trades.ts';
import { printChange, printMicroUsd, printPrice, TOKEN_COLUMNS, type TokenViewRow } from './reads/token-views.ts';

/** Ticks, candles and trades are published together this often: nobody reads faster, and a burst becomes one message. */
const PUBLISH_MS = 200;
/** Trades that come later than this many candles are seen when the chart is loaded again. */
const CANDLES_TOLD_MAX = 16;

type IsFollowed = (channel: 'price' | 'candles' | 'trades', key: string) => boolean;

/** Turns stored trades into messages of the live stream, for the tokens somebody is looking at. */
export class LiveMarket {
  readonly #store: MarketStore;
  readonly #database: Database;
  readonly #bus: LiveBus;
  readonly #clock: Clock;
  readonly #isFollowed: IsFollowed;
  readonly #lagMs: () => number | null;
  readonly #pending = new Map<Address, StoredTrade[]>();
  readonly #loop: Loop;
  #stop: () => void = () => {};

  constructor(deps: {
    store: MarketStore;
    database: Database;
    bus: LiveBus;
    clock: Clock;
    log: Log;
    isFollowed: IsFollowed;
    /** How old what is known of the market is; null where its windows say nothing of now. */
    lagMs: () => number | null;
  }) {
    this.#lagMs = deps.lagMs;
    this.#store = deps.store;
    this.#database = deps.database;
    this.#bus = deps.bus;
    this.#clock = deps.clock;
    this.#isFollowed = deps.isFollowed;
    this.#loop = new Loop({
      name: 'publishing of live market values',
      work: () => this.#publish(),
      everyMs: PUBLISH_MS,
      firstAfterMs: PUBLISH_MS,
      clock: deps.clock,
      log: deps.log,
    });
  }

  start(): void {
    this.#stop = this.#store.onTrades((trades) => {
      for (const trade of trades) {
        const waiting = this.#pending.get(trade.mint);
        if (waiting) waiting.push(trade);
        else this.#pending.set(trade.mint, [trade]);
      }
    });
    this.#loop.start();
  }

  async stop(): Promise<void> {
    this.#stop();
    await this.#loop.stop();
  }

  async #publish(): Promise<void> {
    const batch = [...this.#pending];
    this.#pending.clear();
    for (const [mint, trades] of batch) {
      const token = this.#store.tokens.get(mint);
      if (token && this.#isFollowed('trades', mint)) {
        const rows = trades
          .slice(-50)
          .map((trade) => printTrade({ ...trade, at: new Date(trade.atMs) }, token.decimals));
        this.#bus.publish('trades', mint, rows.reverse());
      }
    }
    await this.#publishPrices(batch.map(([mint]) => mint).filter((mint) => this.#isFollowed('price', mint)));
    for (const [mint, trades] of batch) await this.#publishCandles(mint, trades);
  }

  async #publishPrices(mints: readonly Address[]): Promise<void> {
    if (mints.length === 0) return;
    const rows = await this.#database.query<TokenViewRow>(
      `select ${TOKEN_COLUMNS} from token t join token_stats s on s.token_id = t.id where t.mint = any($1)`,
      [mints],
    );
    const lagMs = this.#lagMs();
    for (const row of rows) {
      this.#bus.publish('price', row.mint, {
        tokenContractAddress: row.mint,
        price: printPrice(row.priceUsd),
        priceSol: printPrice(row.priceSol),
        change: printChange(isReadInto('24h', lagMs) ? row.change24h : null),
        change1h: printChange(isReadInto('1h', lagMs) ? row.change1h : null),
        marketCap: printMicroUsd(row.marketCap),
        liquidity: printMicroUsd(row.liquidity),
        holders: row.holders,
        time: this.#clock.nowMs(),
      });
    }
  }

  /** From the first candle that the trades changed up to now: one that has closed meanwhile must be told as it ended. */
  async #publishCandles(mint: Address, trades: readonly StoredTrade[]): Promise<void> {
    const token = this.#store.tokens.get(mint);
    if (!token) return;
    const nowMs = this.#clock.nowMs();
    const firstMs = Math.min(nowMs, ...trades.map(({ atMs }) => atMs));
    for (const interval of CANDLE_INTERVALS) {
      const key = `${mint}:${interval}`;
      if (!this.#isFollowed('candles', key)) continue;
      const since = (bucketStartMs(nowMs, interval) - bucketStartMs(firstMs, interval)) / intervalMs(interval);
      const request = { interval, before: undefined, limit: Math.min(1 + since, CANDLES_TOLD_MAX) };
      const { lists } = await loadKlines(this.#database, token, request, nowMs);
      for (const candle of lists) this.#bus.publish('candles', key, candle);
    }
  }
}
