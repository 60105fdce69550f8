import type { Sql } from '../platform/postgres.ts';

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

const TABLES = [
  { table: 'candle_1m', stepMs: 60_000 },
  { table: 'candle_1h', stepMs: 3_600_000 },
] as const;

/**
 * Merges trades into the stored candles. Open and close are decided by the trades' order, not by their arrival, so any
 * split into batches and any order of arrival leaves the same candles.
 */
export async function mergeCandles(sql: Sql, trades: readonly PricedTrade[]): Promise<void> {
  for (const { table, stepMs } of TABLES) {
    const rows = [...candlesOf(trades, stepMs)];
    await sql.query(
      `insert into ${table} as k (token_id, start, o, h, l, c, v, v_usd, buys, sells, first_seq, last_seq)
       select * from unnest($1::int[], $2::timestamptz[], $3::numeric[], $4::numeric[], $5::numeric[], $6::numeric[],
                            $7::numeric[], $8::numeric[], $9::int[], $10::int[], $11::bigint[], $12::bigint[])
       on conflict (token_id, start) do update set
         o = case when excluded.first_seq < k.first_seq then excluded.o else k.o end,
         h = greatest(k.h, excluded.h), l = least(k.l, excluded.l),
         c = case when excluded.last_seq > k.last_seq then excluded.c else k.c end,
         v = k.v + excluded.v, v_usd = k.v_usd + excluded.v_usd,
         buys = k.buys + excluded.buys, sells = k.sells + excluded.sells,
         first_seq = least(k.first_seq, excluded.first_seq), last_seq = greatest(k.last_seq, excluded.last_seq)`,
      [
        rows.map((row) => row.tokenId),
        rows.map((row) => new Date(row.startMs)),
        rows.map((row) => row.o),
        rows.map((row) => row.h),
        rows.map((row) => row.l),
        rows.map((row) => row.c),
        rows.map((row) => row.v),
        rows.map((row) => row.vUsd),
        rows.map((row) => row.buys),
        rows.map((row) => row.sells),
        rows.map((row) => row.firstSeq),
        rows.map((row) => row.lastSeq),
      ],
    );
  }
}

/** Sorted by key, so that concurrent writers lock rows in one order. */
function candlesOf(trades: readonly PricedTrade[], stepMs: number): CandleRow[] {
  const rows = new Map<string, CandleRow>();
  for (const trade of trades) {
    const startMs = Math.floor(trade.atMs / stepMs) * stepMs;
    const key = `${trade.tokenId}:${startMs}`;
    const row = rows.get(key);
    if (!row) {
      rows.set(key, {
        tokenId: trade.tokenId,
        startMs,
        o: trade.priceUsd,
        h: trade.priceUsd,
        l: trade.priceUsd,
        c: trade.priceUsd,
        v: trade.baseUnits,
        vUsd: trade.valueUsd,
        buys: trade.isBuy ? 1 : 0,
        sells: trade.isBuy ? 0 : 1,
        firstSeq: trade.seq,
        lastSeq: trade.seq,
      });
      continue;
    }
    if (trade.seq < row.firstSeq) {
      row.firstSeq = trade.seq;
      row.o = trade.priceUsd;
    }
    if (trade.seq > row.lastSeq) {
      row.lastSeq = trade.seq;
      row.c = trade.priceUsd;
    }
    if (trade.priceUsd > row.h) row.h = trade.priceUsd;
    if (trade.priceUsd < row.l) row.l = trade.priceUsd;
    row.v += trade.baseUnits;
    row.vUsd += trade.valueUsd;
    if (trade.isBuy) row.buys += 1;
    else row.sells += 1;
  }
  return [...rows.values()].sort((a, b) => a.tokenId - b.tokenId || a.startMs - b.startMs);
}
