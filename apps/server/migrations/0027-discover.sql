-- What the market page shows beside price and volume: who holds a token, what its traders paid, how far its launch curve is.

-- A wallet's first trade of any token; null for owners that were never seen to trade.
alter table trader add column first_at timestamptz;
update trader r set first_at = x.at from (select trader_id, min(at) as at from trade group by trader_id) x where x.trader_id = r.id;

-- What the trader paid to the network; null where the source does not say.
alter table trade add column fee_lamports bigint;

-- The oldest trade on record: launches before it were not seen.
alter table market_cursor add column since timestamptz;
update market_cursor set since = (select min(at) from trade);

alter table token
  -- SOL in the launch curve at which the token graduates into a pool; null for tokens without a curve.
  add column curve_lamports numeric(20, 0),
  add column graduated_at timestamptz,
  add column links jsonb,
  -- How far the transfers of the token's creator have been read.
  add column transfers_read_to text,
  add column transfers_read_at timestamptz;

alter table token_stats
  add column first_price_usd numeric(40, 0),
  -- Null where some trades were stored without their fee.
  add column fees_lamports numeric(20, 0) default 0,
  add column buys_5m int not null default 0,
  add column sells_5m int not null default 0,
  add column buys_1h int not null default 0,
  add column sells_1h int not null default 0,
  add column buys_4h int not null default 0,
  add column sells_4h int not null default 0,
  -- Rolled up from the holders after each change; null before the first time. Wallets of a kind, and what they hold now.
  add column top_ten_units numeric(40, 0),
  add column creator_units numeric(40, 0),
  add column sniper_wallets int,
  add column sniper_units numeric(40, 0),
  add column launch_slot_wallets int,
  add column launch_slot_units numeric(40, 0),
  add column insider_wallets int,
  add column insider_units numeric(40, 0),
  add column fresh_wallets int,
  add column fresh_units numeric(40, 0),
  add column proven_traders int;
update token_stats set fees_lamports = null where trades > 0;
update token_stats s set first_price_usd = x.price
from (select distinct on (token_id) token_id, price_usd as price from trade order by token_id, seq) x where x.token_id = s.token_id;

-- Wallets that received a token by a transfer from its creator.
create table insider (
  token_id int not null references token (id),
  trader_id int not null,
  primary key (token_id, trader_id)
);

create table watched_token (
  user_id uuid not null references users (id),
  mint text not null,
  at timestamptz not null default now(),
  primary key (user_id, mint)
);
