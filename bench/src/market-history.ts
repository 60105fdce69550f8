import type { Database } from '../../apps/server/src/platform/postgres.ts';

const WALLETS = 20_000;

/**
 * A long past for the read bench, written by the database itself: `count` trades over five hundred days, most of them
 * recent and in a few busy tokens, with their candles and stats. What the product's own writer would store, in a
 * twentieth of the time; `ingest` and the proofs are about the writer.
 */
export async function fillMarketHistory(database: Database, tokens: number, count: number): Promise<void> {
  await database.write(`insert into trader (address) select 'Wallet' || n from generate_series(1, $1::int) n`, [
    WALLETS,
  ]);
  await database.query(`select setseed(0.42)`);
  await database.write(
    `insert into trade (token_id, seq, at, is_buy, lamports, base_units, price_sol, price_usd, value_usd, trader_id, signature)
     select token_id, 28000000000000 + row_number() over (order by at), at, lamports % 2 = 0, lamports, 1000000 + lamports * 7,
            price, price * 150, lamports * 150 / 1000, trader_id, 'Signature' || row_number() over (order by at)
     from (select 1 + floor(power(random(), 3) * $1::int)::int as token_id,
                  date_trunc('milliseconds', now() - interval '500 days' * power(random(), 6)) as at,
                  (1000000 + random() * 5e9)::bigint as lamports, (1e12 + random() * 1e14)::numeric(40, 0) as price,
                  1 + floor(random() * $3::int)::int as trader_id
           from generate_series(1, $2::int)) made`,
    [tokens, count, WALLETS],
  );
  for (const [table, unit] of [
    ['candle_1m', 'minute'],
    ['candle_1h', 'hour'],
  ] as const) {
    await database.write(
      `insert into ${table} (token_id, start, o, h, l, c, v, v_usd, buys, sells, first_seq, last_seq)
       select token_id, date_trunc('${unit}', at), (array_agg(price_usd order by seq))[1], max(price_usd), min(price_usd),
              (array_agg(price_usd order by seq desc))[1], sum(base_units), sum(value_usd), count(*) filter (where is_buy),
              count(*) filter (where not is_buy), min(seq), max(seq)
       from trade group by 1, 2 order by 1, 2`,
    );
  }
  await database.write(
    `insert into market_cursor (source, cursor, since) select 'bench', '{}', min(at) from trade
     on conflict (source) do update set since = excluded.since`,
  );
  await database.write(`update candle_roll set rolled_to = date_trunc('hour', now()) + interval '1 hour'`);
  await database.write(
    `update token_stats s set price_usd = n.price_usd, price_sol = n.price_sol, last_seq = n.seq, last_trade_at = n.at,
       trades = n.count, holders = n.count % 1000, market_cap_usd = n.price_usd / 1000,
       liquidity_usd = (token_id::bigint * 7919) % 50000 * 1000000
     from (select distinct on (token_id) token_id as id, price_usd, price_sol, seq, at,
                  count(*) over (partition by token_id) as count
           from trade order by token_id, seq desc) n
     where s.token_id = n.id`,
  );
}
