-- Limits that several servers must count together. Unlogged: a crash of the database forgets them, and that is all it does.

-- Failed tries of a password, by a hash of whom and from where.
create unlogged table login_failure (
  key bytea primary key,
  count int not null,
  last_at timestamptz not null
);
create index login_failure_by_time on login_failure (last_at);

-- Token buckets.
create unlogged table shared_rate (
  key bytea primary key,
  tokens double precision not null,
  at timestamptz not null
);
create index shared_rate_by_time on shared_rate (at);
