import type { Sql } from '../../platform/postgres.ts';

export type TradeWithPriceAfter = {
  mint: string;
  isBuy: boolean;
  lamports: bigint;
  baseUnits: bigint;
  at: Date;
  isFirst: boolean;
  /** What the wallet has of the token now; null where nobody knows. */
  heldNow: bigint | null;
  /** Of the last trade of the token a delay after this one, SOL per token with 18 decimals. */
  laterPriceSol: bigint;
};

/** The newest trades of a wallet since then, oldest first. */
export async function loadTradesWithPriceAfter(
  sql: Sql,
  address: string,
  since: Date,
  delayMs: number,
  limit: number,
): Promise<TradeWithPriceAfter[]> {
  const rows = await sql.query<TradeWithPriceAfter>(
    `select t.mint, x.is_buy as "isBuy", x.lamports, x.base_units as "baseUnits", x.at, h.amount as "heldNow",
       not exists (select 1 from trade e where e.trader_id = x.trader_id and e.token_id = x.token_id and e.seq < x.seq)
         as "isFirst",
       l.price_sol as "laterPriceSol"
     from (select * from trade where trader_id = (select id from trader where address = $1) and at >= $2
           order by seq desc limit $4) x
     join token t on t.id = x.token_id
     left join holder h on h.token_id = x.token_id and h.trader_id = x.trader_id
     join lateral (select price_sol from trade where token_id = x.token_id and seq >= x.seq
       and at <= x.at + make_interval(secs => $3 / 1000.0) order by seq desc limit 1) l on true
     order by x.seq desc`,
    [address, since, delayMs, limit],
  );
  return rows.reverse();
}

/** Closing prices of the hours in SOL per token with 18 decimals, at the end of each hour, in order. */
export function loadHourlyPrices(
  sql: Sql,
  mints: readonly string[],
  since: Date,
  until: Date,
): Promise<{ mint: string; at: Date; priceSol: bigint }[]> {
  return sql.query(
    `select t.mint, c.start + interval '1 hour' as at, trunc(c.c * 1000000 / p.usd)::numeric(60, 0) as "priceSol"
     from candle_hour c join token t on t.id = c.token_id
     join lateral (select usd from sol_price where at <= c.start + interval '1 hour' order by at desc limit 1) p on true
     where t.mint = any($1::text[]) and c.start >= $2 and c.start + interval '1 hour' <= $3 and c.c > 0
     order by c.start, t.mint`,
    [mints, since, until],
  );
}
