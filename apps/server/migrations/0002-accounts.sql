create extension if not exists pg_trgm;

create table users (
  id uuid primary key default gen_random_uuid(),
  email text not null,
  -- Lower case; addresses are compared without case.
  email_key text not null unique,
  password_hash text not null,
  -- Shown to others as the creator of a strategy; never derived from the e-mail.
  display_name text not null unique,
  created_at timestamptz not null default now(),
  slippage_bps int not null default 100,
  quiet_notices boolean not null default false
);

create table wallet (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null unique references users (id),
  address text not null unique,
  -- Sealed by the signer; opaque here.
  envelope text not null,
  created_at timestamptz not null default now()
);
