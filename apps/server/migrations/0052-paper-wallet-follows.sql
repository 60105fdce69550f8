-- Wallets followed without money. What one became is replayed over the wallet's trades; the result is kept once it has ended, because
-- a later replay would use later pools.
create table paper_wallet_follow (
  id uuid primary key,
  user_id uuid not null references users (id),
  address text not null,
  name text not null,
  amount_lamports numeric(20, 0) not null check (amount_lamports > 0),
  settings jsonb not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  result jsonb,
  check ((ended_at is null) = (result is null))
);
create unique index paper_wallet_follow_open on paper_wallet_follow (user_id, address) where ended_at is null;
create index paper_wallet_follow_of_user on paper_wallet_follow (user_id, started_at desc);
