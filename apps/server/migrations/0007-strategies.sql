-- A strategy is a book that others may copy. Its life:
--   publishing -> running -> ending -> ended
-- `publishing` lasts until its first coins are bought, `ending` until every book is empty again. Both are carried on after a crash.
create table strategy (
  id uuid primary key,
  user_id uuid not null references users (id),
  book_id uuid not null unique references book (id),
  slug text not null,
  name text not null,
  description text not null default '',
  status text not null check (status in ('publishing', 'running', 'ending', 'ended')),
  auto_clear boolean not null,
  capital_lamports numeric(20, 0) not null,
  -- Null for an open-ended one.
  duration_minutes int check (duration_minutes > 0),
  -- The first purchases as planned: [{ "mint", "lamports" }]. Stored, so that a restart buys the same.
  plan jsonb not null default '[]',
  published_at timestamptz not null,
  ends_at timestamptz,
  ended_at timestamptz,
  -- How often selling out was tried while ending.
  close_attempts int not null default 0,
  constraint strategy_slug_once unique (slug)
);
-- One name at a time: an ended strategy gives its name back.
create unique index strategy_name_once on strategy (user_id, lower(name)) where status <> 'ended';
create index strategy_of_user on strategy (user_id, published_at desc);
create index strategy_unfinished on strategy (id) where status in ('publishing', 'ending');
create index strategy_expiry on strategy (ends_at) where status = 'running' and ends_at is not null;
create index strategy_newest on strategy (published_at desc, id);
create index strategy_search on strategy using gin (lower(name) gin_trgm_ops);

-- What the lists sort by; written with every mark. Rates have 18 decimals.
create table strategy_stats (
  strategy_id uuid primary key references strategy (id),
  -- Unit NAV: see the domain's unit-nav.
  units numeric(80, 0) not null,
  nav numeric(60, 0) not null,
  peak numeric(60, 0) not null,
  worst_peak numeric(60, 0) not null,
  worst_low numeric(60, 0) not null,
  equity_lamports numeric(40, 0) not null,
  closed_trips int not null default 0,
  won_trips int not null default 0,
  followers int not null default 0,
  copy_funds_lamports numeric(40, 0) not null default 0,
  -- Median of the follows that lasted; null with none.
  follower_return numeric(60, 0),
  -- [{ "mint", "weight" }] in percent points of the equity.
  coins jsonb not null default '[]',
  -- Yield in percent, for the small line of a card.
  trend real[] not null default '{0}',
  marked_at timestamptz not null
) with (fillfactor = 60);

create table nav_point (
  id bigint generated always as identity primary key,
  strategy_id uuid not null references strategy (id),
  at timestamptz not null,
  nav numeric(60, 0) not null,
  equity_lamports numeric(40, 0) not null,
  follower_return numeric(60, 0)
);
create index nav_point_of_strategy on nav_point (strategy_id, at, id);

-- The public record: every trade and flow of a strategy's book, once, with the NAV after it.
create table strategy_event (
  id bigint generated always as identity primary key,
  strategy_id uuid not null references strategy (id),
  -- The fill, or the name of the flow: nothing is recorded twice.
  reference text not null,
  kind text not null check (kind in ('trade', 'flow')),
  side text not null check (side in ('buy', 'sell', 'in', 'out')),
  mint text,
  tokens numeric(20, 0),
  lamports numeric(20, 0) not null,
  fee_lamports numeric(20, 0) not null default 0,
  signature text,
  at timestamptz not null,
  nav numeric(60, 0) not null,
  constraint strategy_event_once unique (strategy_id, reference)
);
create index strategy_event_newest on strategy_event (strategy_id, id desc);

-- A follow's life: opening -> active -> closing -> closed. Whoever changes it holds a share lock on its strategy, which a round locks
-- for itself: a follow is either inside a round, and a cancel waits for that copy, or it has left and no round sees it.
create table follow (
  id uuid primary key,
  user_id uuid not null references users (id),
  strategy_id uuid not null references strategy (id),
  book_id uuid not null unique references book (id),
  mode text not null check (mode in ('sol', 'position')),
  status text not null check (status in ('opening', 'active', 'closing', 'closed')),
  amount_lamports numeric(20, 0) not null,
  multiplier_bps int not null default 10000,
  slippage_bps int not null,
  -- The first purchases as planned, and coins left out: [{ "mint", "lamports" } or { "mint", "reason" }].
  plan jsonb not null default '[]',
  -- At the end of the strategy without auto clear tokens move to the personal book instead of being sold.
  in_kind boolean not null default false,
  close_attempts int not null default 0,
  progress_done int not null default 0,
  progress_total int not null default 0,
  -- What came back; tokens handed over count with their value then.
  returned_lamports numeric(20, 0),
  opened_at timestamptz not null,
  closed_at timestamptz
) with (fillfactor = 70);
create unique index follow_one_active on follow (user_id, strategy_id) where status <> 'closed';
create index follow_of_strategy on follow (strategy_id, id) where status <> 'closed';
create index follow_of_strategy_ever on follow (strategy_id, opened_at);
create index follow_of_user on follow (user_id, opened_at desc);
create index follow_unfinished on follow (id) where status in ('opening', 'closing');

-- A creator's order with all its copies. The id is that of the creator's order.
--   planned -> done   done when every copy is a fill or a skip
create table copy_round (
  id uuid primary key,
  strategy_id uuid not null references strategy (id),
  side text not null check (side in ('buy', 'sell')),
  mint text not null,
  amount_in numeric(20, 0) not null,
  -- The creator's SOL (buys) or tokens (sells) before the order: the whole of which amount_in is a fraction.
  creator_before numeric(20, 0) not null,
  state text not null default 'planned' check (state in ('planned', 'done')),
  created_at timestamptz not null
);
create index copy_round_open on copy_round (created_at) where state = 'planned';
create index copy_round_of_strategy on copy_round (strategy_id, created_at desc);

create table copy (
  follow_id uuid not null references follow (id),
  round_id uuid not null references copy_round (id) on delete cascade,
  side text not null,
  state text not null check (state in ('pending', 'filled', 'skipped')),
  order_id uuid,
  amount_in numeric(20, 0),
  -- One of the skip reasons.
  reason text,
  filled_in numeric(20, 0),
  filled_out numeric(20, 0),
  fee_lamports numeric(20, 0),
  signature text,
  created_at timestamptz not null,
  settled_at timestamptz,
  primary key (follow_id, round_id),
  check ((state = 'skipped') = (reason is not null))
) with (fillfactor = 70);
create index copy_of_round on copy (round_id);
create index copy_pending on copy (follow_id) where state = 'pending';
create unique index copy_of_order on copy (order_id) where order_id is not null;
create index copy_newest on copy (follow_id, created_at desc);
