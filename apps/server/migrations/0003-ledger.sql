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

create table posting (
  entry_id bigint not null references journal_entry (id),
  line int not null,
  book_id uuid references book (id),
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
  insert into balance (book_id, account, asset, amount)
    select distinct book_id, account, asset, 0 from posted where book_id is not null
    order by book_id, account, asset
    on conflict do nothing;
  -- Locks are taken in one order by everyone, so that two postings cannot wait for each other.
  perform 1 from balance b
    join (select distinct book_id, account, asset from posted where book_id is not null) p using (book_id, account, asset)
    order by b.book_id, b.account, b.asset for update of b;
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
