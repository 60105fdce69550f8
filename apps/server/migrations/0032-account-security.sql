-- The language that the user last used, for mails.
alter table users add column language text not null default 'en' check (language in ('en', 'zh'));

-- Set while the owner, or somebody with a link from his mail, has stopped sessions, withdrawals and exports.
alter table users add column frozen_at timestamptz;

-- A reset of the password by mail can be undone with the password of before. A second reset keeps the first one's.
alter table users add column password_reset_at timestamptz;
alter table users add column hash_before_reset text;
alter table users add column first_reset_at timestamptz;
-- After an undone reset the mailbox alone resets nothing for a while.
alter table users add column resets_refused_until timestamptz;

alter table email_code drop constraint email_code_purpose_check;
alter table email_code add constraint email_code_purpose_check check (purpose in ('register', 'reset', 'export', 'unfreeze'));

-- What is told to one user, in the app and mostly by mail too. `payload` is what its text needs.
create table alert (
  id bigint generated always as identity primary key,
  user_id uuid not null references users (id),
  kind text not null,
  payload jsonb not null default '{}',
  created_at timestamptz not null default now(),
  read_at timestamptz
);
create index alert_of_user on alert (user_id, id desc);
create index alert_unread on alert (user_id) where read_at is null;

-- Links in mails. Only the SHA-256 of a token is kept: a copy of this table opens none of them.
create table mail_link (
  token_hash bytea primary key,
  user_id uuid not null references users (id),
  purpose text not null check (purpose in ('freeze', 'cancel-withdrawal')),
  -- The withdrawal; empty for a freeze.
  reference text not null default '',
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index mail_link_expiry on mail_link (expires_at);

-- Whenever an operator looked at a user's data; shown to the user.
create table operator_read (
  id bigint generated always as identity primary key,
  user_id uuid not null references users (id),
  operator text not null,
  reason text not null,
  at timestamptz not null default now()
);
create index operator_read_of_user on operator_read (user_id, id desc);
create trigger operator_read_insert_only before update or delete or truncate on operator_read
  for each statement execute function audit_is_insert_only();
