-- A round posts to thousands of books at once. What a book has of an asset is one narrow row instead of one per account, with the
-- position in the coin beside it, and no index names a column that a trade changes, so that the row is updated in place.
create table holding (
  book_id uuid not null references book (id),
  -- 'SOL' or a mint address.
  asset text not null,
  rent numeric(40, 0) not null default 0,
  uncosted_tokens numeric(20, 0) not null default 0,
  realised_lamports numeric(40, 0) not null default 0,
  outside_proceeds_lamports numeric(40, 0) not null default 0,
  -- When the holding last rose from nothing.
  opened_at timestamptz,
  -- What a round changes stands together: only the bytes from the first to the last difference are logged.
  held numeric(40, 0) not null default 0,
  cash numeric(40, 0) not null default 0,
  -- Null where there never was a position, as for SOL and for what is nobody's.
  quantity numeric(20, 0),
  cost_lamports numeric(40, 0),
  primary key (book_id, asset),
  constraint balance_not_negative check (cash >= 0 and held >= 0 and rent >= 0),
  constraint position_not_negative check (quantity >= 0 and uncosted_tokens >= 0),
  check ((quantity is null) = (cost_lamports is null))
) with (fillfactor = 45);

insert into holding (book_id, asset, rent, uncosted_tokens, realised_lamports, outside_proceeds_lamports, opened_at, held, cash,
  quantity, cost_lamports)
select coalesce(b.book_id, p.book_id), coalesce(b.asset, p.mint), coalesce(b.rent, 0), coalesce(p.uncosted_tokens, 0),
  coalesce(p.realised_lamports, 0), coalesce(p.outside_proceeds_lamports, 0), p.opened_at, coalesce(b.held, 0), coalesce(b.cash, 0),
  p.quantity, p.cost_lamports
from (
  select book_id, asset, sum(amount) filter (where account = 'cash') as cash, sum(amount) filter (where account = 'held') as held,
    sum(amount) filter (where account = 'rent') as rent
  from balance group by book_id, asset
) b full join position p on p.book_id = b.book_id and p.mint = b.asset;
drop table balance, position;

create view balance as
  select h.book_id, v.account, h.asset, v.amount
  from holding h cross join lateral (values ('cash', h.cash), ('held', h.held), ('rent', h.rent)) v (account, amount);
create view position as
  select h.book_id, h.asset as mint, k.user_id, h.quantity, h.cost_lamports, h.uncosted_tokens, h.realised_lamports,
    h.outside_proceeds_lamports, h.opened_at
  from holding h join book k on k.id = h.book_id where h.quantity is not null;

-- The allocations of a round are a sub-ledger: an entry named here has the lines of the books that took part in them, and in its own
-- postings one control line per asset with their sum. Rounds of before have all their lines in `posting`.
create table round_entry (
  entry_id bigint primary key,
  order_id uuid not null references trade_order (id),
  act text not null check (act in ('hold', 'fill', 'release')),
  -- Of a fill: what the chain says the swap took and gave.
  amount_in numeric(20, 0),
  amount_out numeric(20, 0),
  fee_lamports numeric(20, 0),
  -- The place of these fills among all others.
  fill_id bigint,
  unique (order_id, act),
  check ((act = 'fill') = (amount_in is not null and amount_out is not null and fee_lamports is not null and fill_id is not null))
);
create index trade_order_rounds on trade_order (wallet_id) where is_round;
-- Its books are checked by the rows they move, its order by the entry: asked again for every allocation, that cost half of the insert.
alter table allocation drop constraint allocation_order_id_fkey, drop constraint allocation_book_id_fkey;
alter table allocation set (fillfactor = 45);
-- The fills of one round share an id.
alter table fill drop constraint fill_pkey;
alter table fill add primary key (id, book_id);

create view round_line as
  select r.entry_id, r.order_id, r.act, a.book_id, v.account, v.asset, v.amount
  from round_entry r join trade_order o on o.id = r.order_id join allocation a on a.order_id = r.order_id and a.amount_in > 0
    cross join lateral (select
      case r.act when 'hold' then 1 else -1 end as sign,
      case when r.act <> 'fill' then 0 when o.side = 'buy' then -a.filled_in - a.fee_lamports else a.filled_out - a.fee_lamports end as lamports,
      case when r.act <> 'fill' then 0 when o.side = 'buy' then a.filled_out else -a.filled_in end as tokens) c
    cross join lateral (values
      ('held', 'SOL', c.sign * a.hold_lamports), ('cash', 'SOL', c.lamports - c.sign * a.hold_lamports),
      ('held', o.mint, c.sign * a.hold_tokens), ('cash', o.mint, c.tokens - c.sign * a.hold_tokens)) v (account, asset, amount)
  where v.amount <> 0;

-- Lines of fills that were taken back: their allocations no longer have them.
create table kept_line (
  entry_id bigint not null,
  book_id uuid not null,
  account text not null,
  asset text not null,
  amount numeric(40, 0) not null,
  primary key (entry_id, book_id, account, asset)
);
create trigger kept_line_insert_only before update or delete or truncate on kept_line
  for each statement execute function journal_is_insert_only();

-- Every line of every entry, wherever it is kept.
create view journal_line as
  select entry_id, line, book_id, account, asset, amount from posting where account <> 'allocations'
  union all select entry_id, null, book_id, account, asset, amount from kept_line
  union all select entry_id, null, book_id, account, asset, amount from round_line;

-- By way of the wallet, so that the fills of one book or user are found without reading those of all others.
create view round_fill as
  select r.fill_id as id, case when o.book_id = k.id then o.id::text else o.id || ' ' || k.id end as reference, k.user_id,
    k.id as book_id, o.mint, o.side as kind, case o.side when 'buy' then a.filled_out else a.filled_in end as tokens,
    case o.side when 'buy' then a.filled_in else a.filled_out end as lamports, a.fee_lamports, 0::numeric(20, 0) as cost_lamports,
    0::numeric(20, 0) as uncosted_tokens, o.id as order_id, e.signature, e.slot, e.at
  from book k join trade_order o on o.wallet_id = k.wallet_id and o.is_round
    join round_entry r on r.order_id = o.id and r.act = 'fill' join journal_entry e on e.id = r.entry_id
    join allocation a on a.order_id = o.id and a.book_id = k.id and a.amount_in > 0;

drop view standing_fill;
create view standing_fill as
  select f.id, f.reference, f.user_id, f.book_id, f.mint, f.kind, f.tokens, f.lamports, f.fee_lamports, f.cost_lamports,
    f.uncosted_tokens, f.order_id, f.signature, f.slot, f.at, coalesce((
      select min(u.id) from fill u join fill_undone d on d.reference = u.reference
      where u.book_id = f.book_id and u.mint = f.mint and u.order_id = f.order_id and u.id < f.id), f.id) as place
  from fill f where not exists (select 1 from fill_undone d where d.reference = f.reference)
  union all select f.*, f.id from round_fill f;

-- As before, on rows that have all accounts of an asset. SOL is locked before coins, because a fee without a trade touches the
-- position only after the SOL was posted.
create or replace function posting_applied() returns trigger language plpgsql as $$
begin
  if exists (select 1 from posted group by entry_id, asset having sum(amount) <> 0) then
    raise exception 'a journal entry does not sum to zero' using errcode = 'check_violation', constraint = 'posting_zero_sum';
  end if;
  if exists (select 1 from posted p where p.account = 'allocations'
      and not exists (select 1 from round_entry r where r.entry_id = p.entry_id and r.act = 'fill')) then
    raise exception 'a control line has no allocations' using errcode = 'check_violation', constraint = 'round_adds_up';
  end if;
  -- Locks are taken in one order by everyone, so that two postings cannot wait for each other. New rows come after the locks:
  -- whoever inserts one first and then waits for a lock could be waited for by the holder of that lock.
  perform 1 from holding h
    join (select distinct book_id, asset from posted where book_id is not null) p using (book_id, asset)
    order by h.asset <> 'SOL', h.book_id, h.asset for update of h;
  insert into holding (book_id, asset)
    select book_id, asset from posted where book_id is not null group by book_id, asset
    order by asset <> 'SOL', book_id, asset
    on conflict do nothing;
  update holding h set cash = h.cash + p.cash, held = h.held + p.held, rent = h.rent + p.rent
    from (
      select book_id, asset, coalesce(sum(amount) filter (where account = 'cash'), 0) as cash,
        coalesce(sum(amount) filter (where account = 'held'), 0) as held,
        coalesce(sum(amount) filter (where account = 'rent'), 0) as rent
      from posted where book_id is not null group by book_id, asset
    ) p where h.book_id = p.book_id and h.asset = p.asset;
  return null;
end $$;

-- Applies what `round_line` says of an entry, and what a purchase means for positions and round trips; a sale's positions are the
-- caller's. One row here moves the money of all books, or of none: their sums must be those of the order and of the chain.
-- Each update is planned for the number of books it has: a plan kept from a small round would look up every book of a large one.
create function round_applied() returns trigger language plpgsql as $$
declare
  o trade_order;
  sums record;
  happened timestamptz;
  sign int := case new.act when 'hold' then 1 else -1 end;
  is_fill boolean := new.act = 'fill';
  changed bigint;
begin
  select * into strict o from trade_order where id = new.order_id;
  select e.at into strict happened from journal_entry e where e.id = new.entry_id;
  select count(*) as parts, count(filled_out) as filled, sum(amount_in) as planned, sum(hold_lamports) as hold_lamports,
      sum(hold_tokens) as hold_tokens, sum(filled_in) as amount_in, sum(filled_out) as amount_out, sum(fee_lamports) as fee,
      array_agg(book_id) as books, array_agg(sign * hold_lamports) as held, array_agg(lamports - sign * hold_lamports) as cash,
      array_agg(sign * hold_tokens) as held_tokens, array_agg(tokens - sign * hold_tokens) as cash_tokens,
      array_agg(-lamports) as cost, array_agg(user_id) as users
    into sums from (
      select *,
        case when not is_fill then 0 when o.side = 'buy' then -filled_in - fee_lamports else filled_out - fee_lamports end as lamports,
        case when not is_fill then 0 when o.side = 'buy' then filled_out else -filled_in end as tokens
      from allocation where order_id = new.order_id and amount_in > 0 order by book_id
    ) a;
  if sums.parts = 0 or sums.planned <> o.swap_in or sums.hold_lamports <> o.hold_lamports or sums.hold_tokens <> o.hold_tokens
    or is_fill and (sums.filled <> sums.parts or sums.amount_in <> new.amount_in or sums.amount_out <> new.amount_out
      or sums.fee is distinct from new.fee_lamports) then
    raise exception 'the allocations of round % do not add up', new.order_id
      using errcode = 'check_violation', constraint = 'round_adds_up';
  end if;
  -- A round that was placed before the upgrade has made sure of nothing.
  if new.act = 'hold' or not exists (select 1 from round_entry r where r.order_id = new.order_id and r.act = 'hold') then
    insert into holding (book_id, asset) select book_id, 'SOL' from unnest(sums.books) book_id on conflict do nothing;
    insert into holding (book_id, asset) select book_id, o.mint from unnest(sums.books) book_id on conflict do nothing;
  end if;
  execute 'update holding h set held = h.held + a.held, cash = h.cash + a.cash
      from unnest($1, $2, $3) a (book_id, held, cash) where h.book_id = a.book_id and h.asset = $4'
    using sums.books, sums.held, sums.cash, 'SOL';
  get diagnostics changed = row_count;
  if changed = sums.parts and is_fill and o.side = 'buy' then
    execute 'with bought as (
        update holding h set cash = h.cash + a.tokens, quantity = coalesce(h.quantity, 0) + a.tokens,
            cost_lamports = coalesce(h.cost_lamports, 0) + a.cost, opened_at = coalesce(h.opened_at, $6)
          from unnest($1, $2, $3, $4) a (book_id, tokens, cost, user_id) where h.book_id = a.book_id and h.asset = $5
          returning h.book_id, a.user_id, a.tokens, a.cost, h.quantity
      ), opened as (
        insert into round_trip (book_id, mint, user_id, opened_at, open_lamports, open_tokens, bought_tokens, bought_lamports,
          sold_tokens, sold_lamports, quantity, cost_lamports, realised_lamports)
        select book_id, $5, user_id, $6, cost, tokens, tokens, cost, 0, 0, tokens, cost, 0 from bought where quantity = tokens
      )
      select count(*) from bought'
      into changed using sums.books, sums.cash_tokens, sums.cost, sums.users, o.mint, happened;
  elsif changed = sums.parts and o.side = 'sell' then
    execute 'update holding h set held = h.held + a.held, cash = h.cash + a.cash
        from unnest($1, $2, $3) a (book_id, held, cash) where h.book_id = a.book_id and h.asset = $4'
      using sums.books, sums.held_tokens, sums.cash_tokens, o.mint;
    get diagnostics changed = row_count;
  end if;
  if changed <> sums.parts then
    raise exception 'books of round % are missing', new.order_id using errcode = 'serialization_failure';
  end if;
  return null;
end $$;
create trigger round_applied after insert on round_entry for each row execute function round_applied();

-- The control lines come after the allocations in the same transaction: what is set aside is free again by then.
create function round_controlled() returns trigger language plpgsql as $$
begin
  if exists (
    select 1 from trade_order o cross join lateral (values
        ('SOL', case o.side when 'buy' then -new.amount_in - new.fee_lamports else new.amount_out - new.fee_lamports end),
        (o.mint, case o.side when 'buy' then new.amount_out else -new.amount_in end)) v (asset, amount)
      where o.id = new.order_id and v.amount <> (
        select coalesce(sum(p.amount), 0) from posting p
        where p.entry_id = new.entry_id and p.account = 'allocations' and p.asset = v.asset)
  ) then
    raise exception 'the control lines of round % are not the sums of its allocations', new.order_id
      using errcode = 'check_violation', constraint = 'round_adds_up';
  end if;
  return null;
end $$;
create constraint trigger round_controlled after insert on round_entry deferrable initially deferred
  for each row when (new.act = 'fill') execute function round_controlled();

-- A round is confirmed with its posting or not at all.
create function round_posted() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from round_entry where order_id = new.id and act = 'fill')
    and not exists (select 1 from journal_entry where kind = 'order-fill' and reference = new.id::text)
    and not exists (select 1 from journal_entry where kind = 'order-fill' and starts_with(reference, new.id || ':')) then
    raise exception 'round % is confirmed without a posting', new.id using errcode = 'check_violation', constraint = 'round_adds_up';
  end if;
  return null;
end $$;
create constraint trigger round_posted after update on trade_order deferrable initially deferred
  for each row when (new.is_round and new.state = 'confirmed' and old.state = 'sent') execute function round_posted();

-- What an entry is derived from stays as it was posted.
create function allocation_is_posted() returns trigger language plpgsql as $$
begin
  if new.hold_lamports <> old.hold_lamports or new.hold_tokens <> old.hold_tokens or new.amount_in <> old.amount_in
    or exists (select 1 from round_entry where order_id = old.order_id and act = 'fill') then
    raise exception 'a posted allocation does not change' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger allocation_is_posted after update on allocation for each row
  when (new.amount_in <> old.amount_in or new.hold_lamports <> old.hold_lamports or new.hold_tokens <> old.hold_tokens
    or old.filled_in is not null and (new.filled_in is distinct from old.filled_in or new.filled_out is distinct from old.filled_out
      or new.fee_lamports is distinct from old.fee_lamports))
  execute function allocation_is_posted();
