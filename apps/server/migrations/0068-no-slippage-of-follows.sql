-- Nothing reads it: what a copy may cost is bounded by the limit price of its round. New follows leave it empty.
alter table follow alter column slippage_bps drop not null;
