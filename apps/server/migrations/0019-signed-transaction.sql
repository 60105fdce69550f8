-- Transactions that we signed, whatever they are for: one row each, with the bytes, written before anybody else sees them. Rows
-- stay, so that a reader of the chain knows them as ours.
--   sent -> landed -> finalized        confirmed, then final
--     |       |----> failed            failed on chain
--     |       '----> expired           dropped with its fork, where posting waits for finality
--     |------------> failed
--     |------------> expired           proven: it did not and cannot happen
--     '------------> refused           for good, by a venue that kept a needed signature back
-- `sent` begins with this row, because from there on nobody can tell whether a crash came before or after the send.
create table signed_transaction (
  signature text primary key,
  purpose text not null check (purpose in ('order', 'withdrawal', 'closing')),
  -- The order, the withdrawal, or the address of the token account that it closes.
  intent_id text not null,
  attempt int not null,
  -- Who signs it and pays its fee; to other wallets it is somebody else's.
  wallet_address text not null,
  wire bytea not null,
  last_valid_block_height bigint not null,
  -- The venue's name for the quote, and for the participant inside a round.
  venue_request text,
  venue_participant text,
  -- Who may send it. A refusal ends it only for the one who still is: another may have sent it since.
  sender text not null,
  state text not null default 'sent' check (state in ('sent', 'landed', 'finalized', 'failed', 'expired', 'refused')),
  created_at timestamptz not null default now(),
  constraint signed_transaction_attempt unique (intent_id, purpose, attempt)
) with (fillfactor = 80);

insert into signed_transaction (signature, purpose, intent_id, attempt, wallet_address, wire, last_valid_block_height,
  venue_request, venue_participant, sender, state, created_at)
select a.signature, 'order', a.order_id::text, a.attempt, w.address, a.wire, a.last_valid_block_height,
  a.venue_request, a.venue_participant, a.sender,
  case when a.state = 'live' then 'sent' when a.state = 'landed' and o.state = 'finalized' then 'finalized' else a.state end,
  a.created_at
from order_attempt a join trade_order o on o.id = a.order_id join wallet w on w.user_id = o.user_id;

insert into signed_transaction (signature, purpose, intent_id, attempt, wallet_address, wire, last_valid_block_height,
  sender, state, created_at)
select a.signature, 'withdrawal', a.withdrawal_id::text, a.attempt, w.from_address, a.wire, a.last_valid_block_height, '',
  case when a.state = 'live' and w.state = 'confirmed' then 'landed' when a.state = 'live' then 'sent'
    when a.state = 'landed' then 'finalized' else a.state end,
  a.created_at
from withdrawal_attempt a join withdrawal w on w.id = a.withdrawal_id;

-- Closings were posted once confirmed and not looked at again; only an account that is still open has its address on record.
insert into signed_transaction (signature, purpose, intent_id, attempt, wallet_address, wire, last_valid_block_height,
  sender, state, created_at)
select c.signature, 'closing', coalesce(t.address, c.user_id || ' ' || c.mint),
  row_number() over (partition by c.user_id, c.mint order by c.created_at, c.signature), w.address, c.wire,
  c.last_valid_block_height, '', case c.state when 'live' then 'sent' when 'landed' then 'finalized' else c.state end,
  c.created_at
from token_account_closing c join wallet w on w.user_id = c.user_id
  left join token_account t on t.user_id = c.user_id and t.mint = c.mint;

-- At most one transaction per intent that may still happen or be dropped again.
create unique index signed_transaction_one_open on signed_transaction (intent_id, purpose)
  where state in ('sent', 'landed');
create index signed_transaction_open on signed_transaction (purpose, created_at) where state in ('sent', 'landed');

drop table order_attempt, withdrawal_attempt, token_account_closing;
