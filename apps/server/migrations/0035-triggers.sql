-- Orders that wait. The life of one:
--   waiting -> open        the buy it was written with has traded
--   open <-> paused
--   open -> firing         its order was written, in the same transaction in a personal book; `trigger_firing` has its id
--   firing -> open         its order ended without a trade, and it waits or retries; or the next purchase of a schedule
--   any of them -> ended   with its outcome
create table order_trigger (
  id uuid primary key,
  user_id uuid not null,
  book_id uuid not null references book (id),
  book_kind text not null,
  mint text not null,
  kind text not null,
  side text not null check (side in ('buy', 'sell')),
  state text not null check (state in ('waiting', 'open', 'paused', 'firing', 'ended')),
  -- Amounts and prices inside are decimal text.
  level jsonb,
  -- Of one that waits for its buy: what the level is worked out from once the position's cost is known.
  wanted_level jsonb,
  amount jsonb,
  trail jsonb,
  schedule jsonb,
  protect jsonb,
  slippage_bps int not null,
  hold_lamports numeric(20, 0) not null default 0,
  -- Counts what was set aside for it, so that each hold is an entry of its own.
  holds int not null default 0,
  group_id uuid,
  group_kind text check (group_kind in ('one-cancels-other', 'ladder')),
  entry_order_id uuid,
  position_opened_at timestamptz,
  trip_id bigint,
  fires_at timestamptz,
  expires_at timestamptz,
  -- Fires then whatever the price is: its order did not trade.
  retry_at timestamptz,
  -- The earliest time at which it has to be asked without a change of the price.
  due_at timestamptz,
  firings int not null default 0,
  order_id uuid,
  order_error text,
  first_fired_at timestamptz,
  fired_at timestamptz,
  -- SOL per token with 18 decimals, for the size of the order.
  first_price numeric(60, 0),
  fired_price numeric(60, 0),
  created_at timestamptz not null,
  ended_at timestamptz,
  outcome text,
  check ((state = 'ended') = (outcome is not null)),
  check (state <> 'ended' or hold_lamports = 0)
) with (fillfactor = 80);
create index order_trigger_active on order_trigger (state, id) where state in ('waiting', 'open', 'firing');
create index order_trigger_of_token on order_trigger (mint, book_id) where state <> 'ended';
create index order_trigger_due on order_trigger (due_at) where due_at is not null;
create index order_trigger_of_user on order_trigger (user_id, created_at desc);
create index order_trigger_of_group on order_trigger (group_id) where group_id is not null;

-- Each order that a trigger placed. One row per firing, so that however often a firing is carried out it is one order.
create table trigger_firing (
  trigger_id uuid not null references order_trigger (id),
  firing int not null,
  order_id uuid not null unique,
  amount_in numeric(20, 0) not null,
  min_out numeric(20, 0),
  price numeric(60, 0),
  at timestamptz not null,
  primary key (trigger_id, firing)
);

alter table journal_entry drop constraint journal_entry_kind_known;
alter table journal_entry add constraint journal_entry_kind_known check (kind in ('deposit', 'withdrawal', 'external-out',
  'withdrawal-hold', 'withdrawal-release', 'order-hold', 'order-release', 'order-fill', 'order-failed', 'rent-return',
  'rent-return-failed', 'move-sol', 'move-tokens', 'move-rent', 'transfer-hold', 'transfer-release', 'commit', 'return',
  'transfer-failed', 'reversal', 'trigger-hold', 'trigger-release'));
