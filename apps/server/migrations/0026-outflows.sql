-- What is posted so far of a movement that is not finalized yet. An outflow may be larger than what is free: as much as is free is
-- posted at once, with the alarm, and the rest when it is free.
alter table wallet_movement add column posted numeric(20, 0) not null default 0;
alter table wallet_movement add column alarmed_at timestamptz;
