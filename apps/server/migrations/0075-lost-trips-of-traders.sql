-- A wallet's trip counts as lost with the sale that puts its sales at a loss, on the day of that sale, whatever is left of it.
alter table holder add column lost_day int not null default 0;
comment on column holder.lost_day is
  'days since 1970 (UTC) to the sale that put the sales of the open trip at a loss, which counts it as lost on that day; 0 for none';

-- Trips that stand at a loss already, by the rules of 0028. One that no stored sale explains counts with its next trade.
do $$
declare
  x record;
  wallet int := null;
  coin int := null;
  cost numeric := 0;
  known numeric := 0;
  trip numeric := 0;
  lost date := null;
  units numeric;
  part numeric;
begin
  create temporary table lost_trip (trader_id int, token_id int, day date) on commit drop;
  for x in select t.trader_id, t.token_id, (t.at at time zone 'UTC')::date as day, t.is_buy, t.lamports, t.base_units
           from trade t join holder h on h.token_id = t.token_id and h.trader_id = t.trader_id
           where h.trip_lamports < 0 order by t.trader_id, t.token_id, t.seq
  loop
    if wallet is distinct from x.trader_id or coin is distinct from x.token_id then
      if lost is not null then
        insert into lost_trip values (wallet, coin, lost);
      end if;
      wallet := x.trader_id;
      coin := x.token_id;
      cost := 0;
      known := 0;
      trip := 0;
      lost := null;
    end if;
    if x.is_buy then
      cost := cost + x.lamports;
      known := known + x.base_units;
    elsif known > 0 then
      units := least(x.base_units, known);
      part := case when units = known then cost else div(cost * units, known) end;
      trip := trip + div(x.lamports * units, x.base_units) - part;
      cost := cost - part;
      known := known - units;
      if known = 0 then
        trip := 0;
      end if;
      lost := case when trip < 0 then coalesce(lost, x.day) end;
    end if;
  end loop;
  if lost is not null then
    insert into lost_trip values (wallet, coin, lost);
  end if;
  update holder h set lost_day = l.day - date '1970-01-01'
  from lost_trip l where h.token_id = l.token_id and h.trader_id = l.trader_id;
  update trader_day d set round_trips = d.round_trips + l.trips
  from (select trader_id, day, count(*) as trips from lost_trip group by trader_id, day) l
  where d.trader_id = l.trader_id and d.day = l.day;
  update trader_stats s set round_trips = s.round_trips + l.trips
  from (select trader_id, count(*) as trips from lost_trip group by trader_id) l where s.trader_id = l.trader_id;
  drop table lost_trip;
end
$$;
