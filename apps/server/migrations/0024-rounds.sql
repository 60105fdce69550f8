-- A strategy trades in a wallet of its own, and a round is one order of that wallet: what each book gives to and gets from it is an
-- allocation. Strategies of before have no such wallet; they are ended, without a trade, once nothing of theirs is under way.
alter table strategy add column wallet_id uuid references wallet (id), add column is_earlier boolean not null default false;
update strategy s set wallet_id = k.wallet_id, is_earlier = true from book k where k.id = s.book_id;
alter table strategy alter column wallet_id set not null;
update strategy set status = 'ending' where status in ('publishing', 'running');
update follow set status = 'closing', closed_by = 'strategy-end' where status in ('opening', 'active');

alter table follow
  -- While joining: when the next try is due, and until when there are any.
  add column join_at timestamptz,
  add column join_until timestamptz,
  -- The transfer that brings SOL back at the moment.
  add column return_id uuid;
create index follow_joining on follow (join_at) where join_until is not null and status in ('opening', 'active');
create index follow_returning on follow (return_id) where return_id is not null;

alter table trade_order
  -- What goes into the swap: the parts of all books together. amount_in is that of the one who asked.
  add column swap_in numeric(20, 0),
  -- True where the fill is shared out among the books in `allocation`.
  add column is_round boolean not null default false;
update trade_order set swap_in = amount_in;
alter table trade_order alter column swap_in set not null;
create index trade_order_of_wallet on trade_order (wallet_id) where state in ('held', 'sent');

create table allocation (
  order_id uuid not null references trade_order (id),
  book_id uuid not null references book (id),
  user_id uuid not null,
  -- Null for the creator's own part.
  follow_id uuid,
  -- What it wanted before its limits, and the limit that bound it.
  wanted_in numeric(20, 0),
  amount_in numeric(20, 0) not null check (amount_in >= 0),
  limited_by text,
  -- Why it did not take part; a round that ended without a trade gives every part a reason.
  reason text,
  hold_lamports numeric(20, 0) not null default 0,
  hold_tokens numeric(20, 0) not null default 0,
  -- What it took from the follow's budgets of the day.
  run_up_lamports numeric(20, 0) not null default 0,
  cost_lamports numeric(20, 0) not null default 0,
  filled_in numeric(20, 0),
  filled_out numeric(20, 0),
  fee_lamports numeric(20, 0),
  at timestamptz not null,
  primary key (order_id, book_id)
) with (fillfactor = 70);
create index allocation_of_follow on allocation (follow_id, at desc) where follow_id is not null;

insert into allocation (order_id, book_id, user_id, follow_id, wanted_in, amount_in, limited_by, reason, run_up_lamports,
  cost_lamports, filled_in, filled_out, fee_lamports, at)
select c.round_id, f.book_id, f.user_id, f.id, c.wanted_in, coalesce(c.amount_in, 0), c.limited_by,
  case c.state when 'pending' then 'expired' else c.reason end, c.run_up_lamports, c.cost_lamports, c.filled_in, c.filled_out,
  c.fee_lamports, c.created_at
from copy c join follow f on f.id = c.follow_id join trade_order o on o.id = c.round_id;

drop table copy, copy_round;
alter table trade_order drop column parent_id, drop column round_id;
alter table signed_transaction drop column venue_participant;
