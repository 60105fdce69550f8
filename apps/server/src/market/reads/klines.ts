import { intervalMs } from '@hunter/domain/candle-interval';
import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import { printDecimal } from '@hunter/domain/decimal';
import type { Sql } from '../../platform/postgres.ts';
import type { TokenRow } from '../token-directory.ts';
import { loadBuckets, type Bucket } from './load-buckets.ts';
import { printMicroUsd, printPrice } from './token-views.ts';

export type Candle = CallReply<'kline'>['lists'][number];

/**
 * Candles of `limit` intervals before `before`, without gaps: an interval without trades repeats the last close with
 * no volume. Nothing is invented before the token's first trade.
 */
export async function loadKlines(
  sql: Sql,
  token: TokenRow,
  request: Pick<CallParsedRequest<'kline'>, 'interval' | 'before' | 'limit'>,
  nowMs: number,
): Promise<CallReply<'kline'>> {
  const step = intervalMs(request.interval);
  const current = Math.floor(nowMs / step) * step;
  const end =
    request.before === undefined ? current + step : Math.min(Math.ceil(request.before / step) * step, current + step);
  const from = end - request.limit * step;
  const { buckets, earlierClose } = await loadBuckets(sql, token.id, request.interval, from, end);
  const lists: Candle[] = [];
  for (const bucket of withoutGaps(buckets, earlierClose, from, end, step)) {
    lists.push(printCandle(bucket, token.decimals, bucket.t < current));
  }
  return { lists };
}

/** From `from` on, or from the first bucket where nothing came before it. */
export function* withoutGaps(
  buckets: readonly Bucket[],
  earlierClose: bigint | null,
  from: number,
  end: number,
  step: number,
): Generator<Bucket> {
  const first = earlierClose === null ? buckets[0]?.t : from;
  if (first === undefined) return;
  let close = earlierClose;
  let index = 0;
  for (let t = first; t < end; t += step) {
    const bucket = buckets[index];
    if (bucket !== undefined && bucket.t === t) {
      yield bucket;
      close = bucket.c;
      index += 1;
    } else if (close !== null) yield { t, o: close, h: close, l: close, c: close, v: 0n, vUsd: 0n };
  }
}

export function printCandle(bucket: Bucket, decimals: number, closed: boolean): Candle {
  return {
    t: bucket.t,
    o: printPrice(bucket.o),
    h: printPrice(bucket.h),
    l: printPrice(bucket.l),
    c: printPrice(bucket.c),
    v: printDecimal(bucket.v, decimals),
    vUsd: printMicroUsd(bucket.vUsd),
    closed,
  };
}
