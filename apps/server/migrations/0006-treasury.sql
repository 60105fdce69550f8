-- When a running request was last taken up; long ago means that whoever did is gone.
alter table idempotency add column claimed_at timestamptz not null default now();

-- Addresses whose transactions are read from the chain: wallets and their token accounts. A token transfer names the
-- token account and not its owner, so both are watched.
create table watched_address (
  address text primary key,
  user_id uuid not null references users (id),
  wallet_address text not null,
  -- Everything up to this finalized transaction has been read; null before the first.
  read_until_signature text,
  created_at timestamptz not null default now()
);
create index watched_address_of_wallet on watched_address (wallet_address);

-- What transactions that are not our own did to a wallet: money that came (amount above zero) or left.
--   seen -> finalized   posted to the books in the same transaction
--   seen -> orphaned    proven to have vanished from the chain
create table wallet_movement (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id),
  wallet_address text not null,
  signature text not null,
  -- 'SOL' or a mint address.
  asset text not null,
  decimals int not null,
  amount numeric(20, 0) not null check (amount <> 0),
  slot bigint not null,
  status text not null default 'seen' check (status in ('seen', 'finalized', 'orphaned')),
  at timestamptz not null,
  seen_at timestamptz not null default now(),
  finalized_at timestamptz,
  constraint wallet_movement_once unique (signature, wallet_address, asset)
);
create index wallet_movement_open on wallet_movement (seen_at) where status = 'seen';
create index wallet_movement_of_user on wallet_movement (user_id, at desc, id) where amount > 0;

-- A withdrawal's life; amounts are lamports, `lamports` is what the destination receives and the fee comes on top.
--   requested -> approved -> sent -> confirmed -> finalized
--       |            |         |------------------> failed       failed on chain: the fee is posted, the rest released
--       |            |         '-> approved                      proven expired: the same intent is signed again
--       |-> delayed -'                                           large and to a new destination: waits until held_until
--       '-> refused               the signer said no: released   (delayed -> cancelled by the user)
-- `sent` begins with the commit of the signed bytes, because from there on nobody can tell whether they left.
create table withdrawal (
  id uuid primary key,
  user_id uuid not null references users (id),
  book_id uuid not null references book (id),
  from_address text not null,
  to_address text not null,
  lamports numeric(20, 0) not null check (lamports > 0),
  fee_lamports numeric(20, 0) not null,
  state text not null default 'requested' check
    (state in ('requested', 'delayed', 'approved', 'sent', 'confirmed', 'finalized', 'failed', 'refused', 'cancelled')),
  request_key text not null,
  held_until timestamptz,
  signature text,
  -- A name from the error catalogue.
  error text,
  created_at timestamptz not null default now(),
  settled_at timestamptz
);
-- One withdrawal per request, however often it arrives. A refused one did nothing and may be asked for again.
create unique index withdrawal_once on withdrawal (user_id, request_key) where state <> 'refused';
create index withdrawal_of_user on withdrawal (user_id, created_at desc, id);
create index withdrawal_unfinished on withdrawal (created_at)
  where state in ('requested', 'delayed', 'approved', 'sent', 'confirmed');

create table withdrawal_attempt (
  withdrawal_id uuid not null references withdrawal (id),
  attempt int not null,
  signature text not null unique,
  wire bytea not null,
  last_valid_block_height bigint not null,
  state text not null default 'live' check (state in ('live', 'landed', 'failed', 'expired')),
  created_at timestamptz not null default now(),
  primary key (withdrawal_id, attempt)
);
create unique index withdrawal_attempt_one_live on withdrawal_attempt (withdrawal_id) where state = 'live';
