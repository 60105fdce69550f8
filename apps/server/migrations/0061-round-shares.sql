-- What a round filled is written once, with its posting, instead of into thousands of allocations: `shares` has what each book put
-- in, got and paid in fees, three unsigned numbers of eight bytes for each `place`. Older programs look for it in the allocations.
-- contract: programs from 0061 on
alter table round_entry add column shares bytea, add check (shares is null or act = 'fill');
-- Uncompressed, so that the share of one book is read without the others.
alter table round_entry alter column shares set storage external;
-- The rank by book among those that put something in, from 1. Rounds that were posted before have their fills in the columns.
alter table allocation add column place int;
update allocation a set place = r.rank
  from (
    select p.order_id, p.book_id, row_number() over (partition by p.order_id order by p.book_id) as rank
    from allocation p join trade_order o on o.id = p.order_id
    where o.is_round and o.state in ('held', 'sent') and p.amount_in > 0
  ) r where a.order_id = r.order_id and a.book_id = r.book_id;

-- `number` is 0 for what it put in, 1 for what it got, 2 for its fee. A `bigint` of eight bytes has a sign, which these have not.
create function share_of(shares bytea, place bigint, number int) returns numeric language sql immutable parallel safe return
  mod(substr(shares, (24 * (place - 1) + 8 * number + 1)::int, 8)::bigint + 18446744073709551616, 18446744073709551616);

create view filled_allocation as
  select a.order_id, a.book_id, a.user_id, a.follow_id, a.wanted_in, a.amount_in, a.limited_by, a.reason, a.hold_lamports,
    a.hold_tokens, a.at,
    -- Asks for no share, as the amounts do.
    r.shares is not null and a.place is not null or a.filled_out is not null as is_filled,
    coalesce(share_of(r.shares, a.place, 0), a.filled_in)::numeric(20, 0) as filled_in,
    coalesce(share_of(r.shares, a.place, 1), a.filled_out)::numeric(20, 0) as filled_out,
    coalesce(share_of(r.shares, a.place, 2), a.fee_lamports)::numeric(20, 0) as fee_lamports
  from allocation a left join round_entry r on r.order_id = a.order_id and r.act = 'fill';

-- As in 0039, with the shares wherever they are.
-- jscpd:ignore-start
create or replace view round_line as
  select r.entry_id, r.order_id, r.act, a.book_id, v.account, v.asset, v.amount
  from round_entry r join trade_order o on o.id = r.order_id join filled_allocation a on a.order_id = r.order_id and a.amount_in > 0
    cross join lateral (select
      case r.act when 'hold' then 1 else -1 end as sign,
      case when r.act <> 'fill' then 0 when o.side = 'buy' then -a.filled_in - a.fee_lamports else a.filled_out - a.fee_lamports end as lamports,
      case when r.act <> 'fill' then 0 when o.side = 'buy' then a.filled_out else -a.filled_in end as tokens) c
    cross join lateral (values
      ('held', 'SOL', c.sign * a.hold_lamports), ('cash', 'SOL', c.lamports - c.sign * a.hold_lamports),
      ('held', o.mint, c.sign * a.hold_tokens), ('cash', o.mint, c.tokens - c.sign * a.hold_tokens)) v (account, asset, amount)
  where v.amount <> 0;

create or replace view round_fill as
  select r.fill_id as id, case when o.book_id = k.id then o.id::text else o.id || ' ' || k.id end as reference, k.user_id,
    k.id as book_id, o.mint, o.side as kind, case o.side when 'buy' then a.filled_out else a.filled_in end as tokens,
    case o.side when 'buy' then a.filled_in else a.filled_out end as lamports, a.fee_lamports, 0::numeric(20, 0) as cost_lamports,
    0::numeric(20, 0) as uncosted_tokens, o.id as order_id, e.signature, e.slot, e.at
  from book k join trade_order o on o.wallet_id = k.wallet_id and o.is_round
    join round_entry r on r.order_id = o.id and r.act = 'fill' join journal_entry e on e.id = r.entry_id
    join filled_allocation a on a.order_id = o.id and a.book_id = k.id and a.amount_in > 0;

-- As in 0055, but the fills come with the posting, and lamports are added up as the integers that they are.
create or replace function round_applied() returns trigger language plpgsql
  -- The books of 100,000 followers stay in memory.
  set work_mem = '64MB' as $$
declare
  o trade_order;
  sums record;
  happened timestamptz;
  sign int := case new.act when 'hold' then 1 else -1 end;
  is_fill boolean := new.act = 'fill';
  is_buy boolean;
  -- A copy in memory: what was inserted would be read from the table again for every share.
  shares bytea := new.shares || '\x'::bytea;
  changed bigint;
  wanted text;
begin
  select * into strict o from trade_order where id = new.order_id;
  select e.at into strict happened from journal_entry e where e.id = new.entry_id;
  is_buy := o.side = 'buy';
  select count(*) as parts, count(distinct place) as places, sum(amount_in) as planned, sum(hold_lamports) as hold_lamports,
      sum(hold_tokens) as hold_tokens, min(least(lamports, fee)) as least, sum(lamports) as lamports, sum(tokens) as tokens,
      max(case when is_buy then lamports else tokens end - amount_in) as beyond_plan,
      sum(fee) as fee, array_agg(book_id) as books, array_agg(held) as held,
      array_agg(case when not is_fill then 0 when is_buy then -lamports - fee else lamports - fee end - held) as cash,
      array_agg(held_tokens) filter (where not is_buy) as held_tokens,
      array_agg(case when not is_fill then 0 when is_buy then tokens else -tokens end - held_tokens) as cash_tokens
    into sums from (
      select book_id, place, amount_in, hold_lamports, hold_tokens, sign * hold_lamports::bigint as held,
        sign * hold_tokens as held_tokens,
        substr(shares, 24 * place - case when is_buy then 23 else 15 end, 8)::bigint as lamports,
        share_of(shares, place, is_buy::int) as tokens,
        substr(shares, 24 * place - 7, 8)::bigint as fee
      from allocation where order_id = new.order_id and amount_in > 0
      -- Each share is read once, however often it is named above.
      offset 0
    ) a;
  if sums.parts = 0 or sums.places <> sums.parts or sums.planned <> o.swap_in or sums.hold_lamports <> o.hold_lamports
    or sums.hold_tokens <> o.hold_tokens
    or is_fill and (octet_length(shares) is distinct from 24 * sums.parts or sums.least < 0
      -- Shares in the order of other books add up too, but some book then puts in more than was planned for it.
      or new.amount_in <= o.swap_in and sums.beyond_plan > 0
      or sums.lamports is distinct from case when is_buy then new.amount_in else new.amount_out end
      or sums.tokens is distinct from case when is_buy then new.amount_out else new.amount_in end
      or sums.fee is distinct from new.fee_lamports) then
    raise exception 'the allocations of round % do not add up', new.order_id
      using errcode = 'check_violation', constraint = 'round_adds_up';
  end if;
  -- A round that was placed before the upgrade to 0039 has made sure of nothing.
  if new.act = 'hold' or not exists (select 1 from round_entry r where r.order_id = new.order_id and r.act = 'hold') then
    -- From here on a place does not change, and nobody takes part whose amount is not among those that were planned.
    if exists (
      select 1 from (
        select place, row_number() over (order by book_id) as rank from allocation where order_id = new.order_id and amount_in > 0
      ) a where place is distinct from rank
    ) then
      raise exception 'the allocations of round % have no order', new.order_id
        using errcode = 'check_violation', constraint = 'round_adds_up';
    end if;
    foreach wanted in array array['SOL', o.mint] loop
      execute 'insert into holding (book_id, asset) select b, $2 from unnest($1) b
          where not exists (select 1 from holding h where h.book_id = b and h.asset = $2) on conflict do nothing'
        using sums.books, wanted;
    end loop;
  end if;
  execute 'update holding h set held = h.held + a.held, cash = h.cash + a.cash
      from (select unnest($1) as book_id, unnest($2) as held, unnest($3) as cash) a where h.book_id = a.book_id and h.asset = $4'
    using sums.books, sums.held, sums.cash, 'SOL';
  get diagnostics changed = row_count;
  if changed = sums.parts and is_fill and is_buy then
    execute 'with bought as (
        update holding h set cash = h.cash + a.tokens, quantity = coalesce(h.quantity, 0) + a.tokens,
            cost_lamports = coalesce(h.cost_lamports, 0) - (a.held + a.cash), opened_at = coalesce(h.opened_at, $6)
          from (select unnest($1) as book_id, unnest($2) as tokens, unnest($3) as held, unnest($4) as cash) a
          where h.book_id = a.book_id and h.asset = $5
          returning h.book_id, a.tokens, -(a.held + a.cash) as cost, h.quantity
      ), opened as (
        insert into round_trip (book_id, mint, user_id, opened_at, open_lamports, open_tokens, bought_tokens, bought_lamports,
          sold_tokens, sold_lamports, quantity, cost_lamports, realised_lamports)
        select b.book_id, $5, k.user_id, $6, b.cost, b.tokens, b.tokens, b.cost, 0, 0, b.tokens, b.cost, 0
        from bought b join book k on k.id = b.book_id where b.quantity = b.tokens
      )
      select count(*) from bought'
      into changed using sums.books, sums.cash_tokens, sums.held, sums.cash, o.mint, happened;
  elsif changed = sums.parts and not is_buy then
    execute 'update holding h set held = h.held + a.held, cash = h.cash + a.cash
        from (select unnest($1) as book_id, unnest($2) as held, unnest($3) as cash) a where h.book_id = a.book_id and h.asset = $4'
      using sums.books, sums.held_tokens, sums.cash_tokens, o.mint;
    get diagnostics changed = row_count;
  end if;
  if changed <> sums.parts then
    raise exception 'books of round % are missing', new.order_id using errcode = 'serialization_failure';
  end if;
  return null;
end $$;

-- As in 0039, but an entry that names no book, as the control lines of a round, looks for no rows.
create or replace function posting_applied() returns trigger language plpgsql as $$
begin
  if exists (select 1 from posted group by entry_id, asset having sum(amount) <> 0) then
    raise exception 'a journal entry does not sum to zero' using errcode = 'check_violation', constraint = 'posting_zero_sum';
  end if;
  if exists (select 1 from posted p where p.account = 'allocations'
      and not exists (select 1 from round_entry r where r.entry_id = p.entry_id and r.act = 'fill')) then
    raise exception 'a control line has no allocations' using errcode = 'check_violation', constraint = 'round_adds_up';
  end if;
  if not exists (select 1 from posted where book_id is not null) then
    return null;
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
-- jscpd:ignore-end

-- A foreign key is asked again for every row that is updated, though the book of a row never changes.
alter table holding drop constraint holding_book_id_fkey;
create function holding_has_book() returns trigger language plpgsql as $$
begin
  if exists (select 1 from inserted i where not exists (select 1 from book k where k.id = i.book_id)) then
    raise exception 'a holding has no book' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
create trigger holding_has_book after insert on holding referencing new table as inserted
  for each statement execute function holding_has_book();

-- A posting does not change, and goes only where its lines were written down first, which `kept_line` keeps.
create trigger round_entry_insert_only before update or truncate on round_entry
  for each statement execute function journal_is_insert_only();
create function round_is_kept() returns trigger language plpgsql as $$
begin
  if old.act <> 'fill' or not exists (select 1 from kept_line where entry_id = old.entry_id) then
    raise exception 'the journal is insert-only' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger round_is_kept after delete on round_entry for each row execute function round_is_kept();

drop trigger allocation_is_posted on allocation;
create or replace function allocation_is_posted() returns trigger language plpgsql as $$
begin
  if new.hold_lamports <> old.hold_lamports or new.hold_tokens <> old.hold_tokens or new.amount_in <> old.amount_in
    or new.place is distinct from old.place
    or exists (select 1 from round_entry where order_id = old.order_id and act = 'fill') then
    raise exception 'a posted allocation does not change' using errcode = 'restrict_violation';
  end if;
  return null;
end $$;
create trigger allocation_is_posted after update on allocation for each row
  when (new.amount_in <> old.amount_in or new.hold_lamports <> old.hold_lamports or new.hold_tokens <> old.hold_tokens
    or new.place is distinct from old.place or new.filled_in is distinct from old.filled_in
    or new.filled_out is distinct from old.filled_out or new.fee_lamports is distinct from old.fee_lamports)
  execute function allocation_is_posted();
