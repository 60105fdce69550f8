import { intervalMs, type CandleInterval } from '@hunter/domain/market/candle-interval';
import type { EarlierClose, TradedInterval } from '@hunter/domain/market/connect-candles';
import type { Sql } from '../../platform/postgres.ts';

export type Buckets = {
  /** Only intervals with trades, oldest first. */
  buckets: TradedInterval[];
  /** The price before the first of them; null where there was none. */
  earlier: EarlierClose | null;
  /** The newest trade that is in any of it. */
  lastSeq: bigint;
};

type Row = { [Column in keyof TradedInterval]: TradedInterval[Column] | null } & EarlierClose & { lastSeq: bigint };

/** One statement, so that all of it is of one moment. `endMs` null asks for everything since `fromMs`. */
export async function loadBuckets(
  sql: Sql,
  tokenId: number,
  interval: CandleInterval,
  fromMs: number,
  endMs: number | null,
): Promise<Buckets> {
  const step = intervalMs(interval);
  const rows = await sql.query<Row>(
    `select found.*, (select price_sol from trade where token_id = $1 and seq = "lastSeq") as "cSol" from (
       (select null::float8 as t, null::numeric as o, null::numeric as h, null::numeric as l, c, null::numeric as v,
               null::numeric as "vUsd", last_seq as "lastSeq" from (${interval === '1s' ? LAST_TRADE : LAST_MINUTE}) earlier)
       union all ${bucketsOf(interval)}) found`,
    [
      tokenId,
      new Date(Math.max(0, fromMs)),
      endMs === null ? 'infinity' : new Date(endMs),
      ...(isStored(interval) ? [] : [step]),
    ],
  );
  let lastSeq = -1n;
  for (const row of rows) if (row.lastSeq > lastSeq) lastSeq = row.lastSeq;
  const earlier = rows.find((row) => row.t === null);
  return {
    buckets: rows.filter((row) => row.t !== null).toSorted((a, b) => a.t! - b.t!) as TradedInterval[],
    earlier: earlier ?? null,
    lastSeq,
  };
}

/** Minutes and hours are stored as they are asked for. */
function isStored(interval: CandleInterval): boolean {
  return interval === '1m' || interval === '1h';
}

const LAST_MINUTE = `select c, last_seq from candle_1m where token_id = $1 and start < $2 order by start desc limit 1`;
/** A second begins inside of a minute, whose close may come after it. The minutes say where to look. */
const LAST_TRADE = `select price_usd as c, seq as last_seq from trade where token_id = $1 and at < $2
  and seq <= (select last_seq from candle_1m where token_id = $1 and start < $2 order by start desc limit 1)
  order by seq desc limit 1`;

/** Trades are sorted by their number: without both ends everything since would be read, however old the page. */
const MINUTES = `from candle_1m where token_id = $1 and start >= date_trunc('minute', $2::timestamptz) and start < $3`;
const FIRST_OF_MINUTES = `(select min(first_seq) ${MINUTES})`;
const LAST_OF_MINUTES = `(select max(last_seq) ${MINUTES})`;

function bucketsOf(interval: CandleInterval): string {
  const start = `(floor(extract(epoch from start) * 1000 / $4) * $4)::float8`;
  if (interval === '1s') {
    return `select (floor(extract(epoch from at) * 1000 / $4) * $4)::float8, (array_agg(price_usd order by seq))[1],
                   max(price_usd), min(price_usd), (array_agg(price_usd order by seq desc))[1], sum(base_units),
                   sum(value_usd), max(seq)
            from trade where token_id = $1 and at >= $2 and at < $3
              and seq between ${FIRST_OF_MINUTES} and ${LAST_OF_MINUTES}
            group by 1`;
  }
  const table = intervalMs(interval) >= intervalMs('1h') ? 'candle_hour' : 'candle_1m';
  if (isStored(interval)) {
    return `select (extract(epoch from start) * 1000)::float8, o, h, l, c, v, v_usd::numeric, last_seq
            from ${table} where token_id = $1 and start >= $2 and start < $3`;
  }
  return `select ${start}, (array_agg(o order by start))[1], max(h), min(l), (array_agg(c order by start desc))[1], sum(v),
                 sum(v_usd), max(last_seq)
          from ${table} where token_id = $1 and start >= $2 and start < $3 group by 1`;
}
