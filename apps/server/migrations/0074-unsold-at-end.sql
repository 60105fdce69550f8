-- What left an ended strategy as tokens counts with what it counted then, not with the last mark before it. Purchases in rounds change
-- the row of an open trip only when it is written next, so what its position has gained is added.
update strategy_stats t set closed_trips = v.closed, won_trips = v.won, unsold_at_loss = v.unsold
from (
  select s.id,
    count(r.*) filter (where r.closed_by = 'sold' or r.has_lost) as closed,
    count(r.*) filter (where r.closed_by = 'sold' and r.realised_lamports > 0) as won,
    count(r.*) filter (where r.closed_by is distinct from 'sold' and not r.has_lost
      and r.sold_lamports + coalesce(e.lamports, 0) < r.cost) as unsold
  from strategy s
  left join (
    select t.*, t.sold_tokens > 0 and t.realised_lamports < 0 as has_lost,
      t.bought_lamports + case when t.closed_at is null then coalesce(p.cost_lamports - t.cost_lamports, 0) else 0 end as cost
    from round_trip t left join position p on p.book_id = t.book_id and p.mint = t.mint
  ) r on r.book_id = s.book_id
  left join strategy_event e on e.strategy_id = s.id and e.reference = 'returned:' || r.mint
  where s.status = 'ended' group by s.id
) v where v.id = t.strategy_id;
