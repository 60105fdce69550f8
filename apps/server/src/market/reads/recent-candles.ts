import { CANDLE_INTERVALS, intervalMs, type CandleInterval } from '@hunter/domain/market/candle-interval';
import type { CallReply } from '@hunter/contract/calls';
import type { Clock } from '../../platform/clock.ts';
import type { JsonText } from '../../platform/json-text.ts';
import type { Sql } from '../../platform/postgres.ts';
import type { StoredTrade } from '../stored-trade.ts';
import type { TokenDirectory, TokenRow } from '../token-directory.ts';
import { CandleSeries, SERIES_LENGTH } from './candle-series.ts';
import { FollowedValues } from './followed-values.ts';
import { loadBuckets } from './load-buckets.ts';

/** About 120 kB each: the settled candles and the bytes of the last answer. */
const SERIES_MAX = 1_000;
/** One number for a token and an interval. */
const PLACES = 8;

/** The newest candles of the tokens and intervals people look at; they follow the trades as they are stored. */
export class RecentCandles {
  readonly #clock: Clock;
  readonly #series: FollowedValues<CandleSeries, StoredTrade>;

  constructor(sql: Sql, tokens: TokenDirectory, clock: Clock) {
    this.#clock = clock;
    this.#series = new FollowedValues({
      max: SERIES_MAX,
      load: async (key) => {
        const interval = CANDLE_INTERVALS[key % PLACES]!;
        const token = tokens.byId(Math.floor(key / PLACES))!;
        const step = intervalMs(interval);
        const from = (Math.floor(clock.nowMs() / step) + 1 - SERIES_LENGTH) * step;
        const loaded = await loadBuckets(sql, token.id, interval, from, null);
        return new CandleSeries({ step, decimals: token.decimals, from, loaded });
      },
      follow: (series, trades) => series.add(trades),
    });
  }

  /** Whether it can be answered without reading the store. */
  isKept(token: TokenRow, interval: CandleInterval): boolean {
    return this.#series.has(keyOf(token, interval));
  }

  /** `limit` is at most `SERIES_LENGTH`. */
  async page(token: TokenRow, interval: CandleInterval, limit: number): Promise<JsonText<CallReply<'kline'>>> {
    const series = await this.#series.get(keyOf(token, interval));
    return series.page(limit, this.#clock.nowMs());
  }

  forgetAll(): void {
    this.#series.forgetAll();
  }

  tell(tokenId: number, trades: readonly StoredTrade[]): void {
    for (let place = 0; place < CANDLE_INTERVALS.length; place += 1)
      this.#series.tell(tokenId * PLACES + place, trades);
  }
}

function keyOf(token: TokenRow, interval: CandleInterval): number {
  return token.id * PLACES + CANDLE_INTERVALS.indexOf(interval);
}
