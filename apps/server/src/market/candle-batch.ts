import { bigint, int, numeric, selecting, timestamptz, valuesOf, type Columns, type Statement } from './bulk-rows.ts';

export type PricedTrade = {
  tokenId: number;
  seq: bigint;
  atMs: number;
  isBuy: boolean;
  baseUnits: bigint;
  priceUsd: bigint;
  valueUsd: bigint;
};

type CandleRow = {
  tokenId: number;
  startMs: number;
  o: bigint;
  h: bigint;
  l: bigint;
  c: bigint;
  v: bigint;
  vUsd: bigint;
  buys: number;
  sells: number;
  firstSeq: bigint;
  lastSeq: bigint;
};

const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;

/**
 * What merges trades into the stored candles. Open and close are decided by the trades' order, not by their arrival, so
 * any split into batches and any order of arrival leaves the same candles. Hours are merged only where they were rolled up
 * already, which is before `rolledToMs`; see `rollingHours`.
 */
export function candleBatch(trades: readonly PricedTrade[], rolledToMs: number): Statement[] {
  const minutes = candlesOf(trades, MINUTE_MS);
  const statements = [{ text: merging('candle_1m'), values: valuesOf(COLUMNS, minutes) }];
  const late = minutes.filter((minute) => minute.startMs < rolledToMs);
  if (late.length > 0) {
    statements.push({ text: merging('candle_1h'), values: valuesOf(COLUMNS, hoursOf(late, HOUR_MS)) });
  }
  return statements;
}

/**
 * Rolls up every hour before `toMs` that was not yet. Comes after the minutes of a batch whose newest trade is in the hour
 * of `toMs`: the chain goes on in time, so those hours are over, and what comes late is merged into them.
 */
export function rollingHours(toMs: number): Statement[] {
  const to = new Date(toMs);
  return [
    {
      text: `insert into candle_1h (token_id, start, o, h, l, c, v, v_usd, buys, sells, first_seq, last_seq)
             select token_id, start, o, h, l, c, v, v_usd, buys, sells, first_seq, last_seq from (
               select token_id, date_trunc('hour', start, 'UTC') as start, (array_agg(o order by first_seq))[1] as o,
                      max(h) as h, min(l) as l, (array_agg(c order by last_seq desc))[1] as c, sum(v) as v,
                      sum(v_usd) as v_usd, sum(buys) as buys, sum(sells) as sells, min(first_seq) as first_seq,
                      max(last_seq) as last_seq
               from candle_1m where start >= (select rolled_to from candle_roll) and start < $1
               group by 1, 2) hour order by token_id, start`,
      values: [to],
    },
    { text: `update candle_roll set rolled_to = $1`, values: [to] },
  ];
}

const COLUMNS: Columns<CandleRow> = {
  token_id: int((row) => row.tokenId),
  start: timestamptz((row) => row.startMs),
  o: numeric((row) => row.o),
  h: numeric((row) => row.h),
  l: numeric((row) => row.l),
  c: numeric((row) => row.c),
  v: numeric((row) => row.v),
  v_usd: bigint((row) => row.vUsd),
  buys: int((row) => row.buys),
  sells: int((row) => row.sells),
  first_seq: bigint((row) => row.firstSeq),
  last_seq: bigint((row) => row.lastSeq),
};

/** Needs the lock of the market's writers: `merge` costs less than `on conflict`, since it expects nobody to insert meanwhile. */
function merging(table: string): string {
  return `merge into ${table} as k using (${selecting(COLUMNS)}) as n on k.token_id = n.token_id and k.start = n.start
     when matched then update set
       o = case when n.first_seq < k.first_seq then n.o else k.o end,
       h = greatest(k.h, n.h), l = least(k.l, n.l),
       c = case when n.last_seq > k.last_seq then n.c else k.c end,
       v = k.v + n.v, v_usd = k.v_usd + n.v_usd, buys = k.buys + n.buys, sells = k.sells + n.sells,
       first_seq = least(k.first_seq, n.first_seq), last_seq = greatest(k.last_seq, n.last_seq)
     when not matched then insert (token_id, start, o, h, l, c, v, v_usd, buys, sells, first_seq, last_seq)
       values (n.token_id, n.start, n.o, n.h, n.l, n.c, n.v, n.v_usd, n.buys, n.sells, n.first_seq, n.last_seq)`;
}

/** Hours from minutes: a few rows each instead of all trades once more. Minutes come sorted, and so do the hours. */
function hoursOf(minutes: readonly CandleRow[], stepMs: number): CandleRow[] {
  const hours: CandleRow[] = [];
  for (const minute of minutes) {
    const startMs = Math.floor(minute.startMs / stepMs) * stepMs;
    const hour = hours.at(-1);
    if (hour === undefined || hour.tokenId !== minute.tokenId || hour.startMs !== startMs) {
      hours.push({ ...minute, startMs });
      continue;
    }
    absorb(hour, minute);
  }
  return hours;
}

/** Sorted by key, so that concurrent writers lock rows in one order. */
function candlesOf(trades: readonly PricedTrade[], stepMs: number): CandleRow[] {
  const rows = new Map<number, CandleRow>();
  for (const trade of trades) {
    const startMs = Math.floor(trade.atMs / stepMs) * stepMs;
    // One number per token and minute: minutes since 1970 stay below 2^26 for another sixty years, ids below 2^27.
    const key = trade.tokenId * 67_108_864 + startMs / stepMs;
    const candle = candleOf(trade, startMs);
    const row = rows.get(key);
    if (row) absorb(row, candle);
    else rows.set(key, candle);
  }
  return [...rows.values()].sort((a, b) => a.tokenId - b.tokenId || a.startMs - b.startMs);
}

function candleOf({ tokenId, seq, priceUsd, baseUnits, valueUsd, isBuy }: PricedTrade, startMs: number): CandleRow {
  const prices = { o: priceUsd, h: priceUsd, l: priceUsd, c: priceUsd };
  const trades = { buys: isBuy ? 1 : 0, sells: isBuy ? 0 : 1, firstSeq: seq, lastSeq: seq };
  return { tokenId, startMs, ...prices, v: baseUnits, vUsd: valueUsd, ...trades };
}

/** Takes another part of the same time into a candle. */
function absorb(candle: CandleRow, part: CandleRow): void {
  if (part.firstSeq < candle.firstSeq) {
    candle.firstSeq = part.firstSeq;
    candle.o = part.o;
  }
  if (part.lastSeq > candle.lastSeq) {
    candle.lastSeq = part.lastSeq;
    candle.c = part.c;
  }
  if (part.h > candle.h) candle.h = part.h;
  if (part.l < candle.l) candle.l = part.l;
  candle.v += part.v;
  candle.vUsd += part.vUsd;
  candle.buys += part.buys;
  candle.sells += part.sells;
}
