-- What a page of the web app keeps for its user across devices: named filters of Discover, drawings and indicators of a token's
-- chart, and whether the guide was left. The server does not read into it; only its owner ever gets it back.
create table saved_item (
  user_id uuid not null references users (id),
  kind text not null check (kind in ('discover', 'chart', 'guide')),
  key text not null check (length(key) between 1 and 64),
  value text not null check (length(value) <= 16000),
  saved_at timestamptz not null,
  primary key (user_id, kind, key)
);
