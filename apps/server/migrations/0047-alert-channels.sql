-- A browser that gets push messages, by the SHA-256 of its address at the push service. The address and the keys that messages are
-- encrypted with are sealed. It ends with the session that it was added in: a device that is logged out is told nothing more.
create table push_device (
  id bytea primary key check (length(id) = 32),
  user_id uuid not null,
  session_id uuid not null references session (id) on delete cascade,
  sealed text not null,
  name text not null,
  created_at timestamptz not null default now()
);
create index push_device_of_user on push_device (user_id, created_at);
create index push_device_of_session on push_device (session_id);

-- The Telegram chat of a user, once a code that the user was shown has been sent to the bot.
create table telegram_link (
  user_id uuid primary key,
  code_hash bytea unique,
  code_expires_at timestamptz,
  chat_id bigint,
  chat_name text,
  linked_at timestamptz,
  check ((code_hash is null) = (code_expires_at is null)),
  check ((chat_id is null) = (linked_at is null) and (chat_id is null) = (chat_name is null))
);
create index telegram_link_of_chat on telegram_link (chat_id);
