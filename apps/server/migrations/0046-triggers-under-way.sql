-- The few triggers whose order is on its way are looked for every two seconds, among any number that only wait.
create index order_trigger_under_way on order_trigger (id) where state in ('firing', 'waiting');
-- Those that fired or ended lately are compared with the chain, which may take a trade back.
create index order_trigger_fired on order_trigger (fired_at) where fired_at is not null;
create index order_trigger_ended on order_trigger (ended_at) where ended_at is not null;
