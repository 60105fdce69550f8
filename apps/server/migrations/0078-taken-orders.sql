-- Several engines find an order that a crash left without a signature: the one that takes it has it to itself until then. Without it
-- each of them quoted and signed it, which the signer counts, and all but one for nothing.
alter table trade_order add column taken_until timestamptz;
comment on column trade_order.taken_until is
  'until when an engine that found the order waiting for a signature is at work on it; null for none';
