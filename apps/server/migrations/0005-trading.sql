-- An order is one intent to swap in one book. Its life:
--   held -> sent -> confirmed -> finalized
--             |---> failed      the transaction failed on chain: its fee is posted, the rest of the hold released
--             |---> held again  proven not to have happened: quoted and signed again, at most three times in all
--   held -> dead                given up without a transaction: the hold is released
-- `held` means that the money is set aside. `sent` begins with the commit of the signed bytes, because from there on nobody can
-- tell whether a crash came before or after the send.
create table trade_order (
  id uuid primary key,
  user_id uuid not null,
  book_id uuid not null references book (id),
  kind text not null,
  -- The order of the one who is copied.
  parent_id uuid,
  -- Lead and copies that were priced together.
  round_id uuid,
  side text not null check (side in ('buy', 'sell')),
  mint text not null,
  amount_in numeric(20, 0) not null check (amount_in > 0),
  slippage_bps int not null,
  state text not null check (state in ('held', 'sent', 'confirmed', 'finalized', 'failed', 'dead')),
  hold_lamports numeric(20, 0) not null default 0,
  hold_tokens numeric(20, 0) not null default 0,
  -- What the first quote promised, less the slippage: no later attempt may bring less.
  min_out numeric(20, 0),
  attempts int not null default 0,
  -- A name from the error catalogue.
  error text,
  signature text,
  slot bigint,
  filled_in numeric(20, 0),
  filled_out numeric(20, 0),
  fee_lamports numeric(20, 0),
  venue_fee_lamports numeric(20, 0),
  rent_lamports numeric(20, 0),
  created_at timestamptz not null default now(),
  settled_at timestamptz
) with (fillfactor = 70);
create index trade_order_unfinished on trade_order (created_at) where state in ('held', 'sent');
create index trade_order_not_final on trade_order (settled_at) where state = 'confirmed';
create index trade_order_of_user on trade_order (user_id, created_at desc);
create index trade_order_of_book on trade_order (book_id, created_at desc);
create index trade_order_of_round on trade_order (round_id) where round_id is not null;

-- One signed transaction. The bytes are here before anybody else sees them.
create table order_attempt (
  order_id uuid not null references trade_order (id),
  attempt int not null,
  signature text not null unique,
  wire bytea not null,
  -- The venue's name for the quote, and for the participant inside a round.
  venue_request text not null,
  venue_participant text,
  last_valid_block_height bigint not null,
  -- Who may send it. A refusal ends the attempt only for the one who still is: another may have sent it since.
  sender text not null,
  state text not null default 'live' check (state in ('live', 'landed', 'failed', 'expired', 'refused')),
  created_at timestamptz not null default now(),
  primary key (order_id, attempt)
) with (fillfactor = 80);
create unique index order_attempt_one_live on order_attempt (order_id) where state = 'live';

-- The refundable deposit inside a token account belongs to the book that paid it.
create table token_account (
  user_id uuid not null,
  mint text not null,
  address text not null,
  token_program text not null,
  book_id uuid not null references book (id),
  rent_lamports numeric(20, 0) not null,
  created_at timestamptz not null default now(),
  primary key (user_id, mint)
);

-- Transactions of our own that close an emptied token account. Rows stay, so that a reader of the chain knows them as ours.
create table token_account_closing (
  signature text primary key,
  user_id uuid not null,
  mint text not null,
  wire bytea not null,
  last_valid_block_height bigint not null,
  state text not null default 'live' check (state in ('live', 'landed', 'failed', 'expired')),
  created_at timestamptz not null default now()
);
create unique index token_account_closing_live on token_account_closing (user_id, mint) where state = 'live';

-- Differences between books and chain that nothing explains. A row is an alarm for a person; nothing corrects it by itself.
create table reconciliation_alarm (
  id bigint generated always as identity primary key,
  user_id uuid not null,
  asset text not null,
  books numeric(40, 0) not null,
  chain numeric(40, 0) not null,
  slot bigint not null,
  seen_at timestamptz not null default now(),
  resolved_at timestamptz
);
create unique index reconciliation_alarm_open on reconciliation_alarm (user_id, asset) where resolved_at is null;
