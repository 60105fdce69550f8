create extension if not exists pg_trgm;

create table users (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  -- Lower case; addresses are compared without case.
  email_key text not null,
  password_hash text not null,
  -- Shown to others as the creator of a strategy; never derived from the e-mail.
  display_name text not null,
  created_at timestamptz not null default now(),
  slippage_bps int not null default 100,
  quiet_notices boolean not null default false,
  constraint users_email_once unique (email_key),
  constraint users_display_name_once unique (display_name)
);

create table wallet (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null unique references users (id),
  address text not null unique,
  -- Sealed by the signer; opaque here.
  envelope text not null,
  created_at timestamptz not null default now()
);

-- Only the SHA-256 of a token is kept: a copy of this table logs nobody in.
create table session (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id),
  token_hash bytea not null unique,
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  expires_at timestamptz not null,
  device text not null,
  address text not null
);
create index session_of_user on session (user_id);
create index session_expiry on session (expires_at);

-- Where a user has logged in before. Failures elsewhere do not slow these down.
create table known_device (
  user_id uuid not null references users (id),
  fingerprint bytea not null,
  last_login_at timestamptz not null default now(),
  primary key (user_id, fingerprint)
);

-- At most one code per address and purpose: a new one replaces the old one. Rows exist for addresses without an
-- account too, so that answers cannot tell the two apart.
create table email_code (
  email_key text not null,
  purpose text not null check (purpose in ('register', 'reset', 'export')),
  -- Keyed with the server's secret; null where the mail carried no code.
  code_hash bytea,
  tries_left int not null,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (email_key, purpose)
);

create table email_code_day (
  email_key text not null,
  day date not null,
  sent int not null,
  primary key (email_key, day)
);

create table invite (
  -- Upper case; typed codes are compared without case.
  code text primary key,
  -- Null for codes of the operator.
  owner_id uuid references users (id),
  uses_total int not null check (uses_total > 0),
  uses_left int not null,
  created_at timestamptz not null default now(),
  constraint invite_not_overdrawn check (uses_left >= 0 and uses_left <= uses_total)
);
create index invite_of_owner on invite (owner_id);

create table invite_use (
  user_id uuid primary key references users (id),
  -- No reference: the code of local mode is no row.
  code text not null,
  used_at timestamptz not null default now()
);

create table audit_event (
  id bigint generated always as identity primary key,
  -- Null for events of the operator and of addresses without an account.
  user_id uuid references users (id),
  at timestamptz not null default now(),
  event text not null,
  address text not null,
  detail text not null default ''
);
create index audit_event_of_user on audit_event (user_id, id);

create function audit_is_insert_only() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is insert-only' using errcode = 'restrict_violation';
end $$;
create trigger audit_event_insert_only before update or delete or truncate on audit_event
  for each statement execute function audit_is_insert_only();

-- The mailbox of local mode. Empty in production, where mails leave over SMTP.
create table local_mail (
  id bigint generated always as identity primary key,
  email_key text not null,
  subject text not null,
  text text not null,
  code text,
  sent_at timestamptz not null default now()
);
create index local_mail_of_address on local_mail (email_key, id desc);
