-- Selling out is given up after some tries that the market refused. Tries that failed because a part of the product was away
-- do not count; the next one waits. `close_attempts` goes on naming each try.
alter table follow add column close_refusals int not null default 0, add column close_not_before timestamptz;
alter table strategy add column close_refusals int not null default 0, add column close_not_before timestamptz;
update follow set close_refusals = close_attempts;
update strategy set close_refusals = close_attempts;
