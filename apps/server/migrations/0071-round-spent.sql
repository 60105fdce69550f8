-- As in 0070, for less: no two parts have one place since the hold, so they are not counted once more, and what a book spent is one
-- array for SOL, cost and trip.
-- jscpd:ignore-start
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
  opened uuid[];
begin
  select * into strict o from trade_order where id = new.order_id;
  select e.at into strict happened from journal_entry e where e.id = new.entry_id;
  is_buy := o.side = 'buy';
  select count(*) as parts, sum(amount_in) as planned, sum(held) as held_lamports,
      sum(hold_tokens) as hold_tokens, least(min(lamports), min(fee)) as least, sum(lamports) as lamports, sum(tokens) as tokens,
      bool_or(case when is_buy then lamports > amount_in::bigint else tokens > amount_in end) as is_beyond_plan,
      sum(fee) as fee, array_agg(book_id) as books, array_agg(held) as held,
      array_agg(case when not is_fill then 0 when is_buy then lamports + fee else fee - lamports end) as spent,
      array_agg(held_tokens) filter (where not is_buy) as held_tokens,
      array_agg(case when not is_fill then -held_tokens when is_buy then tokens else -tokens - held_tokens end) as cash_tokens
    into sums from (
      select book_id, amount_in, hold_tokens, sign * hold_lamports::bigint as held,
        case when not is_buy then sign * hold_tokens end as held_tokens,
        substr(shares, 24 * place - case when is_buy then 23 else 15 end, 8)::bigint as lamports,
        share_of(shares, place, is_buy::int) as tokens,
        substr(shares, 24 * place - 7, 8)::bigint as fee
      from allocation where order_id = new.order_id and amount_in > 0
      -- Each share is read once, however often it is named above.
      offset 0
    ) a;
  if sums.parts = 0 or sums.planned <> o.swap_in or sums.held_lamports <> sign * o.hold_lamports
    or sums.hold_tokens <> o.hold_tokens
    or is_fill and (octet_length(shares) is distinct from 24 * sums.parts or sums.least < 0
      -- Shares in the order of other books add up too, but some book then puts in more than was planned for it.
      or new.amount_in <= o.swap_in and sums.is_beyond_plan
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
  execute 'update holding h set held = h.held + a.held, cash = h.cash - (a.held + a.spent)
      from (select unnest($1) as book_id, unnest($2) as held, unnest($3) as spent) a where h.book_id = a.book_id and h.asset = $4'
    using sums.books, sums.held, sums.spent, 'SOL';
  get diagnostics changed = row_count;
  if changed = sums.parts and is_fill and is_buy then
    execute 'with bought as (
        update holding h set cash = h.cash + a.tokens, quantity = coalesce(h.quantity, 0) + a.tokens,
            cost_lamports = coalesce(h.cost_lamports, 0) + a.spent, opened_at = coalesce(h.opened_at, $5)
          from (select unnest($1) as book_id, unnest($2) as tokens, unnest($3) as spent) a
          where h.book_id = a.book_id and h.asset = $4
          returning case when h.quantity = a.tokens then h.book_id end as opened
      )
      select count(*), array_agg(opened) filter (where opened is not null) from bought'
      into changed, opened using sums.books, sums.cash_tokens, sums.spent, o.mint, happened;
    if opened is not null then
      execute 'insert into round_trip (book_id, mint, user_id, opened_at, open_lamports, open_tokens, bought_tokens, bought_lamports,
          sold_tokens, sold_lamports, quantity, cost_lamports, realised_lamports)
        select b.book_id, $4, k.user_id, $5, b.spent, b.tokens, b.tokens, b.spent, 0, 0, b.tokens, b.spent, 0
        from (select unnest($1) as book_id, unnest($2) as tokens, unnest($3) as spent) b join book k on k.id = b.book_id
        where b.book_id = any($6)'
        using sums.books, sums.cash_tokens, sums.spent, o.mint, happened, opened;
    end if;
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
-- jscpd:ignore-end
