import type { CallParsedRequest, CallReply } from '@hunter/contract/calls';
import { printDecimal } from '@hunter/domain/decimal';
import type { Sql } from '../../platform/postgres.ts';
import type { TokenRow } from '../token-directory.ts';
import { printMicroUsd, printPrice } from './token-views.ts';

export const STEP_MS = {
  '1s': 1_000,
  '1m': 60_000,
  '5m': 300_000,
  '15m': 900_000,
  '1h': 3_600_000,
  '4h': 14_400_000,
  '1d': 86_400_000,
} as const;
export type Interval = keyof typeof STEP_MS;

type Bucket = { t: number; o: bigint; h: bigint; l: bigint; c: bigint; v: bigint; vUsd: bigint };

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
  const step = STEP_MS[request.interval];
  const current = Math.floor(nowMs / step) * step;
  const end =
    request.before === undefined ? current + step : Math.min(Math.ceil(request.before / step) * step, current + step);
  const from = end - request.limit * step;
  const [rows, earlier] = await Promise.all([
    loadBuckets(sql, token.id, request.interval, from, end),
    sql.query<{ c: bigint }>(`select c from candle_1m where token_id = $1 and start < $2 order by start desc limit 1`, [
      token.id,
      new Date(Math.max(0, from)),
    ]),
  ]);
  return {
    lists: filled(rows, earlier[0]?.c ?? null, from, end, step, current).map((row) =>
      printed(row, token.decimals, current),
    ),
  };
}

async function loadBuckets(
  sql: Sql,
  tokenId: number,
  interval: Interval,
  from: number,
  end: number,
): Promise<Bucket[]> {
  const step = STEP_MS[interval];
  if (interval === '1s') {
    return sql.query<Bucket>(
      `select (extract(epoch from date_trunc('second', at)) * 1000)::float8 as t,
              (array_agg(price_usd order by seq))[1] as o, max(price_usd) as h, min(price_usd) as l,
              (array_agg(price_usd order by seq desc))[1] as c, sum(base_units) as v, sum(value_usd) as "vUsd"
       from trade where token_id = $1 and at >= $2 and at < $3 group by 1 order by 1`,
      [tokenId, new Date(Math.max(0, from)), new Date(end)],
    );
  }
  const table = step >= STEP_MS['1h'] ? 'candle_1h' : 'candle_1m';
  return sql.query<Bucket>(
    `select (floor(extract(epoch from start) * 1000 / $4) * $4)::float8 as t,
            (array_agg(o order by start))[1] as o, max(h) as h, min(l) as l,
            (array_agg(c order by start desc))[1] as c, sum(v) as v, sum(v_usd) as "vUsd"
     from ${table} where token_id = $1 and start >= $2 and start < $3 group by 1 order by 1`,
    [tokenId, new Date(Math.max(0, from)), new Date(end), step],
  );
}

function filled(
  rows: readonly Bucket[],
  earlierClose: bigint | null,
  from: number,
  end: number,
  step: number,
  current: number,
): Bucket[] {
  const first = earlierClose === null ? rows[0]?.t : from;
  if (first === undefined) return [];
  const candles: Bucket[] = [];
  let close = earlierClose;
  let index = 0;
  for (let t = first; t < end && t <= current; t += step) {
    const row = rows[index];
    if (row !== undefined && row.t === t) {
      candles.push(row);
      close = row.c;
      index += 1;
    } else if (close !== null) candles.push({ t, o: close, h: close, l: close, c: close, v: 0n, vUsd: 0n });
  }
  return candles;
}

function printed(row: Bucket, decimals: number, current: number): CallReply<'kline'>['lists'][number] {
  return {
    t: row.t,
    o: printPrice(row.o),
    h: printPrice(row.h),
    l: printPrice(row.l),
    c: printPrice(row.c),
    v: printDecimal(row.v, decimals),
    vUsd: printMicroUsd(row.vUsd),
    closed: row.t < current,
  };
}
