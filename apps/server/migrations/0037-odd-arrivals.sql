-- Token accounts that strangers made and handed over to a wallet of ours. What lies in them is not counted.
create table foreign_account (
  address text primary key,
  user_id uuid not null references users (id),
  wallet_id uuid not null references wallet (id),
  mint text not null,
  decimals int not null,
  amount numeric(20, 0) not null,
  signature text not null,
  seen_at timestamptz not null default now()
);
create index foreign_account_of_wallet on foreign_account (wallet_id);
create index foreign_account_of_user on foreign_account (user_id);

-- Transactions of our wallets that nobody here can read, of a version of tomorrow for instance; passed over.
create table unreadable_transaction (
  signature text not null,
  wallet_id uuid not null references wallet (id),
  user_id uuid not null references users (id),
  reason text not null,
  seen_at timestamptz not null default now(),
  primary key (signature, wallet_id)
);

-- Tokens that their owner does not want to see: spam that strangers send.
create table hidden_token (
  user_id uuid not null references users (id),
  mint text not null,
  hidden_at timestamptz not null default now(),
  primary key (user_id, mint)
);

-- A difference between books and chain that an operator settles: proposed, where two are needed approved by another, then posted.
create table difference_settlement (
  id bigint generated always as identity primary key,
  wallet_id uuid not null references wallet (id),
  asset text not null,
  -- What the chain has more than the books.
  amount numeric(40, 0) not null check (amount <> 0),
  book_id uuid references book (id),
  cause text not null,
  proposed_by text not null,
  proposed_at timestamptz not null default now(),
  approved_by text,
  posted_at timestamptz
);
create unique index difference_settlement_open on difference_settlement (wallet_id, asset) where posted_at is null;

-- An entry that settles a difference names the settlement.
alter table journal_entry drop constraint journal_entry_kind_known;
alter table journal_entry add constraint journal_entry_kind_known check (kind in ('deposit', 'withdrawal', 'external-out',
  'withdrawal-hold', 'withdrawal-release', 'order-hold', 'order-release', 'order-fill', 'order-failed', 'rent-return',
  'rent-return-failed', 'move-sol', 'move-tokens', 'move-rent', 'transfer-hold', 'transfer-release', 'commit', 'return',
  'transfer-failed', 'reversal', 'trigger-hold', 'trigger-release', 'settlement'));

-- Reconciliation asks for all accounts of a page of wallets.
create index watched_address_of_wallet_id on watched_address (wallet_id);
