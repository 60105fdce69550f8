-- Who sent and who received. A stranger makes himself a sender as he likes: that links him only from an amount on that matters to him,
-- and for a time. Of the links that are known so far, those to where somebody withdrew are his own doing; of the others nobody
-- knows, so they count like what was received now.
alter table wallet_link
  add column is_outgoing boolean not null default false,
  -- When it last received an amount that matters; null where it only sent.
  add column received_at timestamptz default now();
update wallet_link l set is_outgoing = true, received_at = null
where exists (select 1 from withdrawal w where w.from_address = l.wallet_address and w.to_address = l.other_address
  and w.signature is not null);
