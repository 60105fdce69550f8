-- A trigger whose order was on its way when its owner canceled everything: it ends when that order has, instead of waiting again or
-- going on with its schedule.
alter table order_trigger add column cancel_wanted boolean not null default false;
