-- API keys of a user's own. Only the SHA-256 of a key is kept: a copy of this table opens nothing. A key is deleted when it is
-- revoked; the audit log keeps that it was there.
create table api_key (
  id uuid primary key,
  user_id uuid not null references users (id),
  name text not null,
  secret_hash bytea not null unique,
  -- The end of the key, to tell one from another.
  hint text not null,
  scope text not null check (scope in ('read', 'trade')),
  requests_per_second int not null check (requests_per_second between 1 and 50),
  -- What it may put into trades and follows per day (UTC).
  daily_lamports numeric(20, 0),
  spent_day date,
  spent_lamports numeric(20, 0) not null default 0 check (spent_lamports >= 0),
  -- Addresses or networks it may come from; from anywhere where there are none.
  addresses text[] not null default '{}',
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  last_used_from text not null default '',
  constraint api_key_trades_within_a_limit check ((scope = 'trade') = (daily_lamports is not null)),
  constraint api_key_within_its_limit check (spent_lamports <= coalesce(daily_lamports, 0))
);
create index api_key_of_user on api_key (user_id, created_at desc);
