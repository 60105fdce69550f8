-- A change of password that was begun. The signer changes before the database does: where a crash came between the two, this says what
-- the signer was asked for, and the key as it was sealed before says whether it has done it.
create table password_change (
  user_id uuid primary key references users (id),
  password_hash text not null,
  sealed_before text not null,
  -- It stays open when the user's other sessions end.
  session_id uuid not null,
  address text not null,
  begun_at timestamptz not null default now()
);
