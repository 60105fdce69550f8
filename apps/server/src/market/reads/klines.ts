import { intervalMs } from '@hunter/domain/market/candle-interval';
import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import { connectCandles } from '@hunter/domain/market/connect-candles';
import type { TradedInterval } from '@hunter/domain/market/connect-candles';
import { printDecimal } from '@hunter/domain/numbers/decimal';
import type { Sql } from '../../platform/postgres.ts';
import type { TokenRow } from '../token-directory.ts';
import { loadBuckets } from './load-buckets.ts';
import { printMicroUsd, printPrice } from './token-views.ts';

export type Candle = CallReply<'kline'>['lists'][number];

/** Candles of `limit` intervals before `before`, each connected to the one before it. */
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
  const { buckets, earlier } = await loadBuckets(sql, token.id, request.interval, from, end);
  const lists: Candle[] = [];
  for (const bucket of connectCandles(buckets, earlier, from, end, step)) {
    lists.push(printCandle(bucket, token.decimals, bucket.t < current));
  }
  return { lists };
}

export function printCandle(bucket: TradedInterval, decimals: number, closed: boolean): Candle {
  return {
    t: bucket.t,
    o: printPrice(bucket.o),
    h: printPrice(bucket.h),
    l: printPrice(bucket.l),
    c: printPrice(bucket.c),
    v: printDecimal(bucket.v, decimals),
    vUsd: printMicroUsd(bucket.vUsd),
    cSol: bucket.cSol === null ? null : printPrice(bucket.cSol),
    closed,
  };
}
