-- Proofs of reserves: what is owed to users and what is on chain, of one moment. Totals and roots stay; wallets and trees are kept for
-- the newest snapshots only.
create table reserve_snapshot (
  id uuid primary key,
  taken_at timestamptz not null default now(),
  slot bigint not null,
  -- Signatures on their way meanwhile.
  in_flight text[] not null
);
create index reserve_snapshot_newest on reserve_snapshot (taken_at desc);

create table reserve_asset (
  snapshot_id uuid not null references reserve_snapshot (id),
  kind text not null check (kind in ('personal', 'strategy')),
  asset text not null,
  owed numeric(40, 0) not null,
  unclaimed numeric(40, 0) not null,
  on_chain numeric(40, 0) not null,
  primary key (snapshot_id, asset, kind)
);

create table reserve_wallet (
  snapshot_id uuid not null references reserve_snapshot (id),
  address text not null,
  kind text not null,
  asset text not null,
  owed numeric(40, 0) not null,
  on_chain numeric(40, 0) not null
);
create unique index reserve_wallet_once on reserve_wallet (snapshot_id, (address || ' ' || asset));

-- The sum tree over the books in strategy wallets; places without a book are filling.
create table reserve_tree (
  snapshot_id uuid not null references reserve_snapshot (id),
  asset text not null,
  root text not null,
  sum numeric(20, 0) not null,
  hashes bytea,
  sums numeric(20, 0)[],
  book_ids uuid[],
  primary key (snapshot_id, asset)
);
