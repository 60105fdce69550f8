-- The win rate counts trips of which a part was sold with a loss, and says how many others stand at one. Marks write both for
-- strategies that run; those that have ended are computed here, with what their coins counted when they left in kind.
alter table strategy_stats add column unsold_at_loss int not null default 0;
update strategy_stats t set closed_trips = v.closed, won_trips = v.won, unsold_at_loss = v.unsold
from (
  select s.id,
    count(*) filter (where r.closed_by = 'sold' or r.has_lost) as closed,
    count(*) filter (where r.closed_by = 'sold' and r.realised_lamports > 0) as won,
    count(*) filter (where r.closed_by is distinct from 'sold' and not r.has_lost
      and r.sold_lamports + coalesce(e.lamports, 0) < r.bought_lamports) as unsold
  from strategy s
  join (
    select book_id, mint, closed_by, realised_lamports, sold_lamports, bought_lamports,
      sold_tokens > 0 and realised_lamports < 0 as has_lost
    from round_trip
  ) r on r.book_id = s.book_id
  left join strategy_event e on e.strategy_id = s.id and e.reference = 'returned:' || r.mint
  where s.status = 'ended' group by s.id
) v where v.id = t.strategy_id;
