import type { CallReply } from '@hunter/contract/calls';
import { connectCandles } from '@hunter/domain/market/connect-candles';
import type { EarlierClose, TradedInterval } from '@hunter/domain/market/connect-candles';
import { JsonText } from '../../platform/json-text.ts';
import type { StoredTrade } from '../stored-trade.ts';
import { printCandle } from './klines.ts';
import type { Buckets } from './load-buckets.ts';

/** The default page of the chart. */
export const SERIES_LENGTH = 500;
/** A trade may come a little late, so the last few candles stay open to change; what is older is kept as text alone. */
const OPEN_CANDLES = 16;
/** Text is cut off at the front in steps, not with every candle. */
const SPARE_CANDLES = 128;

/** A series that nobody looks at while its token trades on is let go. */
const OPEN_MAX = 2 * SERIES_LENGTH;

type Reply = CallReply<'kline'>;

/** The newest candles of one token and interval, encoded; follows the trades as they come. */
export class CandleSeries {
  readonly #step: number;
  readonly #decimals: number;
  /** Candles that do not change any more, without gaps, joined by commas; `#ends` says where each ends. */
  #settled = '';
  #ends: number[] = [];
  #settledUntil: number;
  /** The price at `#settledUntil`. */
  #earlier: EarlierClose | null;
  #open: TradedInterval[];
  #lastSeq: bigint;
  #answer: { current: number; limit: number; reply: JsonText<Reply> } | null = null;

  /** `from` is where `buckets` begin; they reach to now. */
  constructor(deps: { step: number; decimals: number; from: number; loaded: Buckets }) {
    this.#step = deps.step;
    this.#decimals = deps.decimals;
    this.#settledUntil = deps.from;
    this.#earlier = deps.loaded.earlier;
    this.#open = deps.loaded.buckets;
    this.#lastSeq = deps.loaded.lastSeq;
  }

  /** Oldest first. False where one cannot be told from those that are counted already, or is too late to be merged. */
  add(
    trades: readonly Pick<StoredTrade, 'seq' | 'atMs' | 'priceUsd' | 'priceSol' | 'baseUnits' | 'valueUsd'>[],
  ): boolean {
    this.#answer = null;
    for (const { seq, atMs, priceUsd: price, priceSol: cSol, baseUnits: v, valueUsd: vUsd } of trades) {
      const t = Math.floor(atMs / this.#step) * this.#step;
      if (seq <= this.#lastSeq || t < this.#settledUntil || this.#open.length > OPEN_MAX) return false;
      this.#lastSeq = seq;
      const after = this.#open.findLastIndex((bucket) => bucket.t <= t);
      const bucket = this.#open[after];
      if (bucket?.t !== t) {
        this.#open.splice(after + 1, 0, { t, o: price, h: price, l: price, c: price, v, vUsd, cSol });
        continue;
      }
      if (price > bucket.h) bucket.h = price;
      if (price < bucket.l) bucket.l = price;
      bucket.c = price;
      bucket.cSol = cSol;
      bucket.v += v;
      bucket.vUsd += vUsd;
    }
    return true;
  }

  /** The last `limit` candles up to now, at most `SERIES_LENGTH`. */
  page(limit: number, nowMs: number): JsonText<Reply> {
    const current = Math.floor(nowMs / this.#step) * this.#step;
    if (this.#answer?.current === current && this.#answer.limit === limit) return this.#answer.reply;
    this.#settle(current - OPEN_CANDLES * this.#step);
    const texts: string[] = [];
    const open = connectCandles(this.#open, this.#earlier, this.#settledUntil, current + this.#step, this.#step);
    for (const bucket of open) texts.push(this.#encode(bucket, bucket.t < current));
    const shown = texts.slice(-limit);
    const settled = Math.min(limit - shown.length, this.#ends.length);
    if (settled > 0) shown.unshift(this.#newestSettled(settled));
    const reply = new JsonText<Reply>(`{"lists":[${shown.join(',')}]}`);
    this.#answer = { current, limit, reply };
    return reply;
  }

  #newestSettled(count: number): string {
    const before = this.#ends[this.#ends.length - count - 1];
    return before === undefined ? this.#settled : this.#settled.slice(before + 1);
  }

  #settle(until: number): void {
    if (until <= this.#settledUntil) return;
    this.#skipTo(until - SERIES_LENGTH * this.#step);
    const settling = this.#open.filter((bucket) => bucket.t < until);
    for (const bucket of connectCandles(settling, this.#earlier, this.#settledUntil, until, this.#step)) {
      this.#settled += `${this.#ends.length === 0 ? '' : ','}${this.#encode(bucket, true)}`;
      this.#ends.push(this.#settled.length);
      this.#earlier = bucket;
    }
    this.#open = this.#open.slice(settling.length);
    this.#settledUntil = until;
    if (this.#ends.length > SERIES_LENGTH + SPARE_CANDLES) {
      const cut = this.#ends[this.#ends.length - SERIES_LENGTH - 1]! + 1;
      this.#settled = this.#settled.slice(cut);
      this.#ends = this.#ends.slice(-SERIES_LENGTH).map((end) => end - cut);
    }
  }

  /** Where nobody has looked for so long that nothing of it would be shown any more. */
  #skipTo(from: number): void {
    if (from <= this.#settledUntil) return;
    const passed = this.#open.filter((bucket) => bucket.t < from);
    this.#earlier = passed.at(-1) ?? this.#earlier;
    this.#open = this.#open.slice(passed.length);
    this.#settled = '';
    this.#ends = [];
    this.#settledUntil = from;
  }

  #encode(bucket: TradedInterval, closed: boolean): string {
    return JSON.stringify(printCandle(bucket, this.#decimals, closed));
  }
}
