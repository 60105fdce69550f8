-- A transfer moves SOL or tokens between a personal wallet and the wallet of a strategy. Its life:
--   held -> sent -> confirmed -> finalized
--             |         '--------> signed again, still confirmed: dropped with its fork; what was posted stays posted
--             |---> failed         failed on chain: its fee is posted, the rest released
--             '---> held           proven not to have happened: signed again
--   held -> dead                   the signer refuses it for good: everything is released
-- `sent` begins with the commit of the signed bytes. Money is posted to the receivers at `confirmed`.
create table transfer (
  id uuid primary key,
  kind text not null check (kind in ('commit', 'return')),
  -- Signs, and pays the fee.
  wallet_id uuid not null references wallet (id),
  state text not null default 'held' check (state in ('held', 'sent', 'confirmed', 'finalized', 'failed', 'dead')),
  -- Null before the first signature, and while a dropped one waits for another.
  signature text,
  slot bigint,
  fee_lamports numeric(20, 0),
  -- A name from the error catalogue.
  error text,
  attempts int not null default 0,
  -- The chain took it back after it was posted; what it brought is frozen until it is final.
  dropped boolean not null default false,
  -- Not before this; the signer makes unusual returns wait.
  retry_at timestamptz,
  created_at timestamptz not null default now(),
  settled_at timestamptz
) with (fillfactor = 70);
create index transfer_unsigned on transfer (created_at) where state = 'held' or (state = 'confirmed' and signature is null);
create index transfer_not_final on transfer (wallet_id) where state in ('held', 'sent', 'confirmed');

create table transfer_leg (
  transfer_id uuid not null references transfer (id),
  line int not null,
  from_book uuid not null references book (id),
  to_book uuid not null references book (id),
  -- 'SOL' or a mint address.
  asset text not null,
  -- What leaves from_book; the SOL of a return has its share of the fee inside.
  amount numeric(20, 0) not null check (amount > 0),
  -- What to_book got; null before it is posted.
  received numeric(20, 0),
  primary key (transfer_id, line)
);
create index transfer_leg_from on transfer_leg (from_book);
create index transfer_leg_to on transfer_leg (to_book);

alter table signed_transaction drop constraint signed_transaction_purpose_check;
alter table signed_transaction add constraint signed_transaction_purpose_check
  check (purpose in ('order', 'withdrawal', 'closing', 'transfer'));

-- What an entry may record; the same list as `journalKinds` in the ledger.
alter table journal_entry add constraint journal_entry_kind_known check (kind in ('deposit', 'withdrawal', 'external-out',
  'withdrawal-hold', 'withdrawal-release', 'order-hold', 'order-release', 'order-fill', 'order-failed', 'rent-return',
  'rent-return-failed', 'move-sol', 'move-tokens', 'move-rent', 'transfer-hold', 'transfer-release', 'commit', 'return',
  'transfer-failed'));
