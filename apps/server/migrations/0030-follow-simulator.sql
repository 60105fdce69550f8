-- What a round of a creator was planned with: enough to decide afterwards what a follower of any size would have done in it.
create table round_market (
  order_id uuid primary key references trade_order (id),
  strategy_id uuid not null references strategy (id),
  at timestamptz not null,
  tier text not null check (tier in ('new', 'ranked')),
  -- Of what the creator paid with, before the order: lamports of a buy, base units of a sale.
  creator_before numeric(20, 0) not null,
  creator_equity_lamports numeric(20, 0) not null,
  -- The coin's pool; null where nobody knew it.
  sol_reserve numeric(20, 0),
  token_reserve numeric(20, 0),
  virtual_sol numeric(20, 0),
  virtual_tokens numeric(20, 0),
  fee_bps int,
  reference_numerator numeric,
  reference_denominator numeric,
  coin_age_ms bigint not null,
  -- Held by all books of the strategy's wallet before the order.
  held_tokens numeric(20, 0) not null,
  -- Why followers could not buy it.
  refusal text
);
create index round_market_of_strategy on round_market (strategy_id, at);

-- Pools of the coins that strategies hold, once a minute: past values are computed from them as present ones from the live pools.
create table pool_mark (
  mint text not null,
  at timestamptz not null,
  sol_reserve numeric(20, 0) not null,
  token_reserve numeric(20, 0) not null,
  virtual_sol numeric(20, 0) not null,
  virtual_tokens numeric(20, 0) not null,
  fee_bps int not null,
  primary key (mint, at)
);
create index pool_mark_by_time on pool_mark (at);

-- A follow without money. Its value is never stored: it is replayed over the strategy's rounds whenever somebody looks.
create table paper_follow (
  id uuid primary key,
  user_id uuid not null references users (id),
  strategy_id uuid not null references strategy (id),
  mode text not null check (mode in ('sol', 'position')),
  amount_lamports numeric(20, 0) not null check (amount_lamports > 0),
  multiplier_bps int not null,
  run_up_bps int not null,
  coin_cap_bps int,
  cap_per_trade_lamports numeric(20, 0),
  stop_loss_bps int,
  take_profit_bps int,
  started_at timestamptz not null,
  ended_at timestamptz
);
create unique index paper_follow_open on paper_follow (user_id, strategy_id) where ended_at is null;
create index paper_follow_of_user on paper_follow (user_id, started_at desc);
