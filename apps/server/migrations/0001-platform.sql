-- Effects that leave the database (mails, work for another area) are rows here, written in the transaction that
-- decides them and carried out afterwards, at least once.
create table outbox (
  id bigint generated always as identity primary key,
  topic text not null,
  payload jsonb not null,
  created_at timestamptz not null default now(),
  available_at timestamptz not null default now(),
  attempts int not null default 0,
  done_at timestamptz,
  failure text
);
create index outbox_due on outbox (available_at, id) where done_at is null;

-- Replies of money calls by key, so that a repeated request gives the same answer. `reply` is null while the first
-- request is still running.
create table idempotency (
  user_id uuid not null,
  key text not null,
  call text not null,
  request_hash bytea not null,
  reply jsonb,
  created_at timestamptz not null default now(),
  primary key (user_id, key)
);
create index idempotency_age on idempotency (created_at);
