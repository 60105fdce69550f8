-- The double-entry mirror of the chain. A book is a sub-account of a user inside the one wallet; its accounts are
--   cash  free to use            held  set aside for an order or a withdrawal on its way
--   rent  refundable deposits locked in token accounts
-- Postings without a book are the outside world (account says which part of it). Per asset every entry sums to zero.
create type book_kind as enum ('personal', 'strategy', 'follow');

create table book (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users (id),
  kind book_kind not null,
  name text not null,
  status text not null default 'open' check (status in ('open', 'closing', 'closed')),
  created_at timestamptz not null default now(),
  closed_at timestamptz
);
create unique index book_one_personal on book (user_id) where kind = 'personal';
create index book_of_user on book (user_id);

create table journal_entry (
  id bigint generated always as identity primary key,
  kind text not null,
  -- What caused it. One entry per cause: a repeated event posts nothing twice.
  reference text not null,
  signature text,
  slot bigint,
  at timestamptz not null default now(),
  memo text,
  constraint journal_entry_once unique (kind, reference)
);

-- Entries and their lines are written by one statement and never change, and a line's book is checked by the balance it
-- moves; foreign keys here would only ask the same again, eight times for every trade.
create table posting (
  entry_id bigint not null,
  line int not null,
  book_id uuid,
  account text not null,
  -- 'SOL' or a mint address.
  asset text not null,
  amount numeric(40, 0) not null check (amount <> 0),
  primary key (entry_id, line),
  check (book_id is null or account in ('cash', 'held', 'rent'))
);
create index posting_of_book on posting (book_id, asset, entry_id) where book_id is not null;

create table balance (
  book_id uuid not null references book (id),
  account text not null,
  asset text not null,
  amount numeric(40, 0) not null,
  primary key (book_id, account, asset),
  constraint balance_not_negative check (amount >= 0)
) with (fillfactor = 70);
create index balance_of_asset on balance (asset) where amount > 0;

-- Zero-sum and balances are the database's business: no code path can post one-sided or overdraw.
create function posting_applied() returns trigger language plpgsql as $$
begin
  if exists (select 1 from posted group by entry_id, asset having sum(amount) <> 0) then
    raise exception 'a journal entry does not sum to zero' using errcode = 'check_violation', constraint = 'posting_zero_sum';
  end if;
  -- Locks are taken in one order by everyone, so that two postings cannot wait for each other. New rows come after the locks:
  -- whoever inserts one first and then waits for a lock could be waited for by the holder of that lock.
  perform 1 from balance b
    join (select distinct book_id, account, asset from posted where book_id is not null) p using (book_id, account, asset)
    order by b.book_id, b.account, b.asset for update of b;
  insert into balance (book_id, account, asset, amount)
    select distinct book_id, account, asset, 0 from posted where book_id is not null
    order by book_id, account, asset
    on conflict do nothing;
  update balance b set amount = b.amount + p.change
    from (select book_id, account, asset, sum(amount) as change from posted where book_id is not null group by 1, 2, 3) p
    where b.book_id = p.book_id and b.account = p.account and b.asset = p.asset;
  return null;
end $$;
create trigger posting_applied after insert on posting referencing new table as posted
  for each statement execute function posting_applied();

create function journal_is_insert_only() returns trigger language plpgsql as $$
begin
  raise exception 'the journal is insert-only' using errcode = 'restrict_violation';
end $$;
create trigger journal_entry_insert_only before update or delete or truncate on journal_entry
  for each statement execute function journal_is_insert_only();
create trigger posting_insert_only before update or delete or truncate on posting
  for each statement execute function journal_is_insert_only();

-- What happened to tokens in a book, from which positions and round trips follow: `position` and `round_trip` are kept in step
-- with it and can be computed again from it alone.
create table fill (
  id bigint generated always as identity primary key,
  reference text not null unique,
  user_id uuid not null,
  book_id uuid not null,
  mint text not null,
  kind text not null check (kind in ('buy', 'sell', 'failed', 'received', 'sent', 'moved-in', 'moved-out')),
  tokens numeric(20, 0) not null default 0,
  -- Of the swap itself; fees stand apart.
  lamports numeric(20, 0) not null default 0,
  fee_lamports numeric(20, 0) not null default 0,
  -- Of `moved-in` only: the cost that came along, and tokens without one.
  cost_lamports numeric(20, 0) not null default 0,
  uncosted_tokens numeric(20, 0) not null default 0,
  order_id uuid,
  signature text,
  slot bigint,
  at timestamptz not null
);
create index fill_of_book on fill (book_id, mint, id);
create index fill_of_user on fill (user_id, mint, id desc);
create trigger fill_insert_only before update or delete or truncate on fill
  for each statement execute function journal_is_insert_only();

create table position (
  book_id uuid not null,
  mint text not null,
  user_id uuid not null,
  quantity numeric(20, 0) not null default 0,
  cost_lamports numeric(40, 0) not null default 0,
  uncosted_tokens numeric(20, 0) not null default 0,
  realised_lamports numeric(40, 0) not null default 0,
  outside_proceeds_lamports numeric(40, 0) not null default 0,
  -- When the holding last rose from nothing.
  opened_at timestamptz,
  primary key (book_id, mint),
  check (quantity >= 0 and uncosted_tokens >= 0)
) with (fillfactor = 70);
create index position_of_user on position (user_id) where quantity + uncosted_tokens > 0;
create index position_of_mint on position (mint) where quantity + uncosted_tokens > 0;

create table round_trip (
  id bigint generated always as identity primary key,
  book_id uuid not null,
  mint text not null,
  user_id uuid not null,
  opened_at timestamptz not null,
  closed_at timestamptz,
  closed_by text check (closed_by in ('sold', 'moved')),
  open_lamports numeric(40, 0) not null,
  open_tokens numeric(40, 0) not null,
  close_lamports numeric(40, 0),
  close_tokens numeric(40, 0),
  bought_tokens numeric(40, 0) not null,
  bought_lamports numeric(40, 0) not null,
  sold_tokens numeric(40, 0) not null,
  sold_lamports numeric(40, 0) not null,
  quantity numeric(20, 0) not null,
  cost_lamports numeric(40, 0) not null,
  realised_lamports numeric(40, 0) not null
) with (fillfactor = 70);
create unique index round_trip_one_open on round_trip (book_id, mint) where closed_at is null;
create index round_trip_of_user on round_trip (user_id, opened_at desc, id desc);
create index round_trip_of_book on round_trip (book_id, opened_at desc);
