-- What a follower chose as protection. Follows that were opened before have no stop loss: an upgrade sells for nobody.
alter table follow
  add column run_up_bps int not null default 300 check (run_up_bps between 100 and 1000),
  -- Null: as the creator.
  add column coin_cap_bps int default 5000 check (coin_cap_bps between 100 and 10000),
  add column cap_per_trade_lamports numeric(20, 0) check (cap_per_trade_lamports > 0),
  add column stop_loss_bps int check (stop_loss_bps between 500 and 9500),
  add column take_profit_bps int check (take_profit_bps between 500 and 1000000),
  add column paused boolean not null default false,
  -- The guard whose level the value has reached, and since when; it must stay there for a minute.
  add column guard text check (guard in ('stop-loss', 'take-profit')),
  add column guard_since timestamptz,
  add column closed_by text check (closed_by in ('follower', 'stop-loss', 'take-profit', 'strategy-end')),
  add constraint follow_guard_whole check ((guard is null) = (guard_since is null));

-- What a copy wanted before its limits, the limit that bound it, and what it took from the follow's budgets of the day.
alter table copy
  add column wanted_in numeric(20, 0),
  add column limited_by text,
  add column run_up_lamports numeric(20, 0) not null default 0,
  add column cost_lamports numeric(20, 0) not null default 0;

-- Who sent to or received from a wallet of ours: one transfer away from its owner. A trade of such a wallet does not move the
-- reference price that protects the followers of its owner.
create table wallet_link (
  wallet_address text not null,
  other_address text not null,
  primary key (wallet_address, other_address)
);
insert into wallet_link select distinct from_address, to_address from withdrawal where signature is not null;
