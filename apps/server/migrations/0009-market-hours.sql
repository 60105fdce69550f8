-- Hours are rolled up from their minutes once, when the first trade of a later hour is stored, instead of with every batch.
-- `candle_1h` has the hours before `rolled_to` and nothing else; a late trade of such an hour is merged into it directly.
create table candle_roll (
  is_the_one boolean primary key default true check (is_the_one),
  rolled_to timestamptz not null
);
insert into candle_roll (rolled_to)
select coalesce((select max(start) + interval '1 hour' from candle_1h), '-infinity');

-- To find the minutes of an hour without reading those of every other. They are written in the order of time.
create index candle_1m_start on candle_1m using brin (start) with (pages_per_range = 32);

-- All hours, rolled up or not.
create view candle_hour as
select token_id, start, o, h, l, c, v, v_usd, buys, sells, first_seq, last_seq from candle_1h
union all
select token_id, date_trunc('hour', start, 'UTC'), (array_agg(o order by first_seq))[1], max(h), min(l),
       (array_agg(c order by last_seq desc))[1], sum(v), sum(v_usd)::bigint, sum(buys)::int, sum(sells)::int,
       min(first_seq), max(last_seq)
from candle_1m where start >= (select rolled_to from candle_roll)
group by token_id, date_trunc('hour', start, 'UTC');
