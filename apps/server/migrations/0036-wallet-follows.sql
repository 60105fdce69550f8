-- Following a wallet on chain: its trades are repeated in a book of one's own, or in the book of one's own strategy.
alter table book drop constraint book_kind_known;
alter table book add constraint book_kind_known check (kind in ('personal', 'strategy', 'follow', 'wallet-follow', 'unclaimed'));

create table wallet_follow (
  id uuid primary key,
  user_id uuid not null references users (id),
  book_id uuid not null references book (id),
  address text not null,
  name text not null,
  -- As the contract has them; parsed once, at the edge.
  settings jsonb not null,
  paused boolean not null default false,
  amount_lamports numeric(20, 0) not null,
  -- The newest trade of the wallet that was looked at.
  seen_seq bigint not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  returned_lamports numeric(20, 0)
);
create unique index wallet_follow_open on wallet_follow (user_id, address, book_id) where ended_at is null;
create unique index wallet_follow_of_book on wallet_follow (book_id) where ended_at is null;
create index wallet_follow_watched on wallet_follow (address) where ended_at is null;
create index wallet_follow_of_user on wallet_follow (user_id, started_at desc);

-- One row per trade of the wallet and follow: what became of it, and why not.
--   planned -> done | skipped     waiting -> planned | skipped
create table wallet_copy (
  follow_id uuid not null references wallet_follow (id),
  seq bigint not null,
  mint text not null,
  side text not null check (side in ('buy', 'sell')),
  -- What the wallet gave and got, when, and in which transaction.
  lamports numeric(20, 0) not null,
  tokens numeric(40, 0) not null,
  signature text not null,
  traded_at timestamptz not null,
  held_before numeric(40, 0),
  is_first_buy boolean not null,
  slot bigint,
  state text not null check (state in ('planned', 'waiting', 'done', 'skipped')),
  reason text,
  order_id uuid not null,
  amount_in numeric(20, 0),
  run_up_lamports numeric(20, 0) not null default 0,
  cost_lamports numeric(20, 0) not null default 0,
  wait_until timestamptz,
  seen_at timestamptz not null,
  primary key (follow_id, seq, mint)
);
create index wallet_copy_open on wallet_copy (seen_at) where state in ('planned', 'waiting');
