-- What the market screens read. Filled by one market source; the API reads nothing else.
-- Prices are SOL per token or dollars per token, times 10^18. `seq` orders all trades: slot * 65536 + place in the slot.
-- Lamports and micro-dollars of trades, candles and wallets are int8: all SOL there is, and nine trillion dollars, fit.
-- Token amounts are 64 bits without a sign and prices have no bound, so both stay numeric.

create table token (
  id int generated always as identity primary key,
  mint text not null unique,
  name text not null,
  symbol text not null,
  decimals int not null,
  token_program text not null,
  logo_url text,
  creator text,
  -- The owner of the reserves; its holdings are the pool's, not a holder's.
  pool text,
  supply numeric(40, 0) not null,
  created_at timestamptz not null,
  -- When its accounts were last read from the chain.
  holders_read_at timestamptz,
  -- Why the name cannot be trusted: markup, hidden characters, a look-alike of a known symbol.
  name_flags text[] not null default '{}',
  search_text text generated always as (lower(symbol || ' ' || name || ' ' || mint)) stored
);
create index token_search on token using gin (search_text gin_trgm_ops);
create index token_symbol on token (lower(symbol) text_pattern_ops);
create index token_name on token (lower(name) text_pattern_ops);

create table token_stats (
  token_id int primary key references token (id),
  price_sol numeric(40, 0) not null default 0,
  price_usd numeric(40, 0) not null default 0,
  last_seq bigint not null default 0,
  last_trade_at timestamptz,
  pool_lamports numeric(40, 0) not null default 0,
  pool_tokens numeric(40, 0) not null default 0,
  holders int not null default 0,
  -- The same as of the last refresh of the windows, for the hot list: with no index on what a trade changes, storing a
  -- trade touches none of the indexes below.
  holders_ranked int not null default 0,
  trades bigint not null default 0,
  -- Dollars to the millionth, as everywhere in this schema.
  liquidity_usd numeric(40, 0) not null default 0,
  market_cap_usd numeric(40, 0) not null default 0,
  volume_5m numeric(40, 0) not null default 0,
  volume_1h numeric(40, 0) not null default 0,
  volume_4h numeric(40, 0) not null default 0,
  volume_24h numeric(40, 0) not null default 0,
  buys_24h int not null default 0,
  sells_24h int not null default 0,
  -- Percent points; null where there was no price to compare with.
  change_5m real,
  change_1h real,
  change_4h real,
  change_24h real,
  score real not null default 0,
  trend real[] not null default '{}',
  refreshed_at timestamptz not null default now()
) with (fillfactor = 50);
create index token_stats_score on token_stats (score desc, token_id);
create index token_stats_volume_5m on token_stats (volume_5m desc, token_id);
create index token_stats_volume_1h on token_stats (volume_1h desc, token_id);
create index token_stats_volume_4h on token_stats (volume_4h desc, token_id);
create index token_stats_volume_24h on token_stats (volume_24h desc, token_id);
create index token_stats_change_5m on token_stats (change_5m desc nulls last, token_id);
create index token_stats_change_1h on token_stats (change_1h desc nulls last, token_id);
create index token_stats_change_4h on token_stats (change_4h desc nulls last, token_id);
create index token_stats_change_24h on token_stats (change_24h desc nulls last, token_id);
create index token_stats_holders on token_stats (holders_ranked desc, token_id);
create index token_newest on token (created_at desc, id);

create table trader (
  id int generated always as identity primary key,
  address text not null unique
);

create table trade (
  token_id int not null,
  seq bigint not null,
  at timestamptz not null,
  -- true: SOL went in and tokens came out.
  is_buy boolean not null,
  lamports bigint not null,
  base_units numeric(40, 0) not null,
  price_sol numeric(40, 0) not null,
  price_usd numeric(40, 0) not null,
  value_usd bigint not null,
  trader_id int not null,
  signature text not null,
  primary key (token_id, seq)
);
create index trade_by_trader on trade (trader_id, token_id, seq desc);

-- One-minute candles are written with the trades, hours are rolled up with them; other intervals are read from these.
create table candle_1m (
  token_id int not null,
  start timestamptz not null,
  o numeric(40, 0) not null,
  h numeric(40, 0) not null,
  l numeric(40, 0) not null,
  c numeric(40, 0) not null,
  v numeric(40, 0) not null,
  v_usd bigint not null,
  buys int not null,
  sells int not null,
  first_seq bigint not null,
  last_seq bigint not null,
  primary key (token_id, start)
) with (fillfactor = 80);
create table candle_1h (like candle_1m including all);

create table holder (
  token_id int not null,
  trader_id int not null,
  amount numeric(40, 0) not null,
  seq bigint not null,
  -- What the wallet made on this token, from its trades at average cost.
  cost_lamports bigint not null default 0,
  known_units numeric(40, 0) not null default 0,
  realized_lamports bigint not null default 0,
  -- The part of it made since the position was last flat.
  trip_lamports bigint not null default 0,
  round_trips int not null default 0,
  wins int not null default 0,
  primary key (token_id, trader_id)
) with (fillfactor = 80);
create index holder_largest on holder (token_id, amount desc) where amount > 0;

create table trader_stats (
  trader_id int primary key,
  realized_lamports bigint not null default 0,
  round_trips int not null default 0,
  wins int not null default 0
) with (fillfactor = 70);

create table sol_price (
  at timestamptz primary key,
  -- Dollars per SOL to the millionth.
  usd numeric(20, 0) not null
);

-- How far a source has been read; moved in the transaction that stores what was read.
create table market_cursor (
  source text primary key,
  cursor jsonb not null,
  -- The newest trade that came with it: a batch that begins after it repeats nothing.
  newest_seq bigint not null default 0,
  updated_at timestamptz not null default now()
);

-- What was read of a token's mint and holders, for its safety badges.
create table token_safety (
  token_id int primary key references token (id),
  facts jsonb not null,
  checked_at timestamptz not null
);

create table notice (
  id bigint generated always as identity primary key,
  token_id int not null references token (id),
  trigger text not null check (trigger in ('proven-wallets', 'volume-surge', 'breakout', 'creator-buy')),
  at timestamptz not null,
  price_usd numeric(40, 0) not null,
  market_cap_usd numeric(40, 0) not null,
  peak_usd numeric(40, 0) not null,
  detail text not null default '',
  grade_1h text,
  grade_24h text
);
create index notice_newest on notice (at desc, id desc);
create index notice_of_token on notice (token_id, trigger, at desc);
create index notice_ungraded on notice (at) where grade_24h is null;

create table holder_history (
  token_id int not null,
  at timestamptz not null,
  holders int not null,
  primary key (token_id, at)
);
