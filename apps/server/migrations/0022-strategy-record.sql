-- What a strategy is ranked by: see the domain's record-trip, ranking and creator-score. A fill is judged once, ten minutes after it,
-- when it is known what others paid around it.
alter table strategy_event add column judged_at timestamptz;
create index strategy_event_unjudged on strategy_event (at, id) where judged_at is null and mint is not null;

create table record_trip (
  id bigint generated always as identity primary key,
  strategy_id uuid not null references strategy (id),
  -- The creator: his score is over all of his strategies.
  user_id uuid not null,
  mint text not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  opening_lamports numeric(40, 0) not null,
  opening_equity_lamports numeric(40, 0) not null,
  equity_lamports numeric(40, 0) not null,
  held_tokens numeric(20, 0) not null,
  cost_lamports numeric(40, 0) not null,
  proceeds_lamports numeric(40, 0) not null,
  pool_lamports numeric(60, 0) not null,
  pool_fee_bps int not null,
  off_market text check (off_market in ('not-copyable', 'no-reference-price', 'off-price', 'own-trade')),
  -- Of an open one: the lower of liquidation and reference value, once it is a day old.
  mark_lamports numeric(40, 0),
  marked_at timestamptz,
  -- Null where it does not count.
  outcome text check (outcome in ('won', 'lost', 'flat')),
  x double precision,
  check ((outcome is null) = (x is null))
) with (fillfactor = 70);
create unique index record_trip_one_open on record_trip (strategy_id, mint) where closed_at is null;
create index record_trip_of_creator on record_trip (user_id) where outcome is not null;
create index record_trip_of_strategy on record_trip (strategy_id, opened_at desc);
create index record_trip_to_mark on record_trip (marked_at nulls first) where closed_at is null;

alter table strategy_stats
  add column tier text not null default 'new' check (tier in ('ranked', 'new')),
  -- The creator's, null before the first look.
  add column score double precision,
  add column scored_at timestamptz,
  add column ranked_yield double precision,
  add column lowest_equity_lamports numeric(40, 0),
  add column counted_trips int not null default 0,
  add column counted_won int not null default 0,
  add column counted_coins int not null default 0,
  add column follower_sample int not null default 0,
  -- Sums over the follows that count, see the domain's FollowSums.
  add column follow_weight double precision not null default 0,
  add column follow_weight_squares double precision not null default 0,
  add column follow_weighted double precision not null default 0,
  add column follow_weighted_squares double precision not null default 0;
update strategy_stats t set lowest_equity_lamports =
  (select min(p.equity_lamports) from nav_point p where p.strategy_id = t.strategy_id);
