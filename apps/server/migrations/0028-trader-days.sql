-- What each wallet did on each day (UTC), kept with the trades: leaderboards and wallet pages add up days instead of trades.
create table trader_day (
  trader_id int not null,
  day date not null,
  -- The oldest trade of the day: from where the trades of a period begin in `trade_of_trader`.
  first_seq bigint not null,
  trades int not null,
  volume_lamports bigint not null,
  realized_lamports bigint not null,
  round_trips int not null,
  wins int not null,
  primary key (trader_id, day)
) with (fillfactor = 70);
-- Days come in the order of time, so the rows of a period lie together.
create index trader_day_of_period on trader_day using brin (day) with (pages_per_range = 16);

-- A wallet's trades over all tokens in their order. It serves the trades of one wallet in one token as well, without a
-- look at the rows of its other tokens.
create index trade_of_trader on trade (trader_id, seq, token_id);
drop index trade_by_trader;

-- What a wallet holds. No column of it changes with a trade, so an update of a holder leaves this index alone.
create index holder_of_trader on holder (trader_id);

-- Private to the user who gave the name.
create table tracked_wallet (
  user_id uuid not null references users (id),
  address text not null,
  name text not null check (char_length(name) between 1 and 32),
  created_at timestamptz not null default now(),
  primary key (user_id, address)
);
create index tracked_wallet_address on tracked_wallet (address);

-- Fills `trader_day` from the trades that were stored before it existed, by the rules of `holder-batch.ts`: profit at average
-- cost over the units that the wallet was seen to buy, divisions rounded towards zero.
do $$
declare
  x record;
  wallet int := null;
  coin int := null;
  cost numeric := 0;
  known numeric := 0;
  trip numeric := 0;
  units numeric;
  part numeric;
  made numeric;
  closes int;
  won int;
begin
  create temporary table day_change (trader_id int, day date, seq bigint, lamports bigint, made numeric, closes int, won int)
    on commit drop;
  for x in select trader_id, token_id, seq, (at at time zone 'UTC')::date as day, is_buy, lamports, base_units
           from trade order by trader_id, token_id, seq
  loop
    if wallet is distinct from x.trader_id or coin is distinct from x.token_id then
      wallet := x.trader_id;
      coin := x.token_id;
      cost := 0;
      known := 0;
      trip := 0;
    end if;
    made := 0;
    closes := 0;
    won := 0;
    if x.is_buy then
      cost := cost + x.lamports;
      known := known + x.base_units;
    elsif known > 0 then
      units := least(x.base_units, known);
      part := case when units = known then cost else div(cost * units, known) end;
      made := div(x.lamports * units, x.base_units) - part;
      cost := cost - part;
      known := known - units;
      trip := trip + made;
      if known = 0 then
        closes := 1;
        won := case when trip > 0 then 1 else 0 end;
        trip := 0;
      end if;
    end if;
    insert into day_change values (x.trader_id, x.day, x.seq, x.lamports, made, closes, won);
  end loop;
  insert into trader_day (trader_id, day, first_seq, trades, volume_lamports, realized_lamports, round_trips, wins)
  select c.trader_id, c.day, min(c.seq), count(*), sum(c.lamports), sum(c.made), sum(c.closes), sum(c.won)
  from day_change c group by c.trader_id, c.day order by c.day, c.trader_id;
  drop table day_change;
end
$$;
