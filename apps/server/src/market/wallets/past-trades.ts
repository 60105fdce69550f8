import type { Address } from '@hunter/solana/address';
import type { Sql } from '../../platform/postgres.ts';

export type TradeWithPriceAfter = {
  mint: Address;
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

/** For SQL: a number that no trade of the wallet since then is below. By its time alone all that it ever traded would be read. */
const FIRST_SEQ = `(select min(first_seq) from trader_day where trader_id = (select id from trader where address = $1)
  and day >= ($2::timestamptz at time zone 'UTC')::date)`;

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
     from (select * from trade where trader_id = (select id from trader where address = $1)
             and seq >= ${FIRST_SEQ} and at >= $2
           order by seq desc limit $4) x
     join token t on t.id = x.token_id
     left join holder h on h.token_id = x.token_id and h.trader_id = x.trader_id
     ${joinPriceAfter('$3')}
     order by x.seq desc`,
    [address, since, delayMs, limit],
  );
  return rows.reverse();
}

/** Of each buy of a wallet in the last days, the price it had and the one of the last trade a delay after it. */
export function loadBuysWithPriceAfter(
  sql: Sql,
  address: string,
  since: Date,
  delayMs: number,
  limit: number,
): Promise<{ lamports: bigint; priceSol: bigint; laterPriceSol: bigint }[]> {
  return sql.query(
    `select x.lamports, x.price_sol as "priceSol", l.price_sol as "laterPriceSol"
     from (select * from trade where trader_id = (select id from trader where address = $1)
             and seq >= ${FIRST_SEQ} and is_buy and at >= $2
           order by seq desc limit $4) x
     ${joinPriceAfter('$3')}`,
    [address, since, delayMs, limit],
  );
}

/**
 * For SQL: the price of the last trade of the token of `x` a delay after it. Trades are sorted by their number: without the minute, which
 * says up to which number to look, everything that the token has traded since would be walked through.
 */
function joinPriceAfter(delayMs: string): string {
  const until = `x.at + make_interval(secs => ${delayMs} / 1000.0)`;
  return `join lateral (select price_sol from trade where token_id = x.token_id and seq >= x.seq and at <= ${until}
       and seq <= (select last_seq from candle_1m where token_id = x.token_id and start <= ${until} order by start desc limit 1)
     order by seq desc limit 1) l on true`;
}

/** Closing prices of the hours in SOL per token with 18 decimals, at the end of each hour, in order. */
export function loadHourlyPrices(
  sql: Sql,
  mints: readonly Address[],
  since: Date,
  until: Date,
): Promise<{ mint: Address; at: Date; priceSol: bigint }[]> {
  return sql.query(
    `select t.mint, c.start + interval '1 hour' as at, trunc(c.c * 1000000 / p.usd)::numeric(60, 0) as "priceSol"
     from candle_hour c join token t on t.id = c.token_id
     join lateral (select usd from sol_price where at <= c.start + interval '1 hour' order by at desc limit 1) p on true
     where t.mint = any($1::text[]) and c.start >= $2 and c.start + interval '1 hour' <= $3 and c.c > 0
     order by c.start, t.mint`,
    [mints, since, until],
  );
}
