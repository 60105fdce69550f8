-- A wallet that has a transaction under way has less on chain than its books, or more, for some seconds. That part is told apart from
-- what is missing.
alter table reserve_asset add column in_transit numeric(40, 0) not null default 0 check (in_transit >= 0);
comment on column reserve_asset.in_transit is 'by how much wallets with a transaction under way are below what they owe, taken together';
