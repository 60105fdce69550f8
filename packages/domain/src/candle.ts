import { AppError } from './app-error.ts';
import { bucketStartMs, intervalMs, type CandleInterval } from './candle-interval.ts';
import type { Price } from './price.ts';

/**
 * A candle remembers the place of its first and last trade in the chain's order. Merging looks at nothing else to find the open
 * and the close, so late trades, repeated splits and any order of arrival give the same candle.
 */
export type Candle = {
  readonly startMs: number;
  readonly open: Price;
  readonly high: Price;
  readonly low: Price;
  readonly close: Price;
  readonly volumeTokens: bigint;
  readonly volumeLamports: bigint;
  /** Dollars times 10^6 at the reference price of each trade. */
  readonly volumeUsdMicros: bigint;
  readonly trades: number;
  readonly firstSeq: bigint;
  readonly lastSeq: bigint;
};

export type CandleTrade = {
  /** Unique and growing in the chain's order, see `chainSequence`. */
  readonly seq: bigint;
  readonly atMs: number;
  readonly price: Price;
  readonly tokens: bigint;
  readonly lamports: bigint;
  readonly usdMicros: bigint;
};

/** Slot, place in the slot and place in the transaction as one number that orders all trades. */
export function chainSequence(slot: bigint, transactionIndex: number, tradeIndex = 0): bigint {
  return (slot << 32n) | (BigInt(transactionIndex) << 8n) | BigInt(tradeIndex);
}

export function candleOf(trade: CandleTrade, interval: CandleInterval): Candle {
  const { price } = trade;
  return {
    startMs: bucketStartMs(trade.atMs, interval),
    open: price,
    high: price,
    low: price,
    close: price,
    volumeTokens: trade.tokens,
    volumeLamports: trade.lamports,
    volumeUsdMicros: trade.usdMicros,
    trades: 1,
    firstSeq: trade.seq,
    lastSeq: trade.seq,
  };
}

/** Each trade must be in one of the two only: volumes add up and cannot see a repetition. */
export function mergeCandles(left: Candle, right: Candle): Candle {
  if (left.startMs !== right.startMs) {
    throw new AppError('CANDLES_OF_DIFFERENT_BUCKETS', { left: left.startMs, right: right.startMs });
  }
  const first = left.firstSeq <= right.firstSeq ? left : right;
  const last = left.lastSeq >= right.lastSeq ? left : right;
  return {
    startMs: left.startMs,
    open: first.open,
    high: left.high >= right.high ? left.high : right.high,
    low: left.low <= right.low ? left.low : right.low,
    close: last.close,
    volumeTokens: left.volumeTokens + right.volumeTokens,
    volumeLamports: left.volumeLamports + right.volumeLamports,
    volumeUsdMicros: left.volumeUsdMicros + right.volumeUsdMicros,
    trades: left.trades + right.trades,
    firstSeq: first.firstSeq,
    lastSeq: last.lastSeq,
  };
}

/** Candles of an interval from finer ones (or from single trades), ascending in time. */
export function rollUp(candles: Iterable<Candle>, interval: CandleInterval): Candle[] {
  const buckets = new Map<number, Candle>();
  for (const candle of candles) {
    const moved = { ...candle, startMs: bucketStartMs(candle.startMs, interval) };
    const sofar = buckets.get(moved.startMs);
    buckets.set(moved.startMs, sofar === undefined ? moved : mergeCandles(sofar, moved));
  }
  return [...buckets.values()].sort((left, right) => left.startMs - right.startMs);
}

/**
 * Fills buckets without trades with the close before them, up to the bucket of `untilMs`, and answers the newest `limit` of them.
 * Works backwards, so that a token that slept for a year costs no more than `limit` steps. Expects ascending candles.
 */
export function fillGaps(
  candles: readonly Candle[],
  interval: CandleInterval,
  untilMs: number,
  limit: number,
): Candle[] {
  const length = intervalMs(interval);
  const filled: Candle[] = [];
  let index = candles.length - 1;
  const newest = candles[index];
  if (newest === undefined) return filled;
  let startMs = Math.max(bucketStartMs(untilMs, interval), newest.startMs);
  while (filled.length < limit) {
    const candle = candles[index];
    if (candle === undefined) break;
    if (candle.startMs === startMs) {
      filled.push(candle);
      index -= 1;
    } else {
      filled.push(flatCandle(candle, startMs));
    }
    startMs -= length;
  }
  return filled.reverse();
}

function flatCandle(before: Candle, startMs: number): Candle {
  const { close } = before;
  return {
    startMs,
    open: close,
    high: close,
    low: close,
    close,
    volumeTokens: 0n,
    volumeLamports: 0n,
    volumeUsdMicros: 0n,
    trades: 0,
    firstSeq: before.lastSeq,
    lastSeq: before.lastSeq,
  };
}
