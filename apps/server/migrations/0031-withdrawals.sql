-- Withdrawals of tokens beside SOL: `amount` is in lamports or in base units of the token. A token account that the
-- destination lacks is made at the user's cost; `rent_lamports` is set aside for it, and zero where there is one.
alter table withdrawal rename column lamports to amount;
alter table withdrawal add column asset text not null default 'SOL';
alter table withdrawal add column decimals int not null default 9;
alter table withdrawal add column token_program text;
alter table withdrawal add column rent_lamports numeric(20, 0) not null default 0;
-- What the withdrawn tokens had cost, once they have left.
alter table withdrawal add column cost_lamports numeric(20, 0) not null default 0;
alter table withdrawal add column hold_reason text;
alter table withdrawal add constraint withdrawal_of_token check ((asset = 'SOL') = (token_program is null));
create index withdrawal_to_address on withdrawal (user_id, to_address) where state = 'finalized';

create table withdrawal_address (
  user_id uuid not null references users (id),
  address text not null,
  label text not null,
  changed_at timestamptz not null default now(),
  primary key (user_id, address)
);
-- Two addresses of one name invite sending to the wrong one.
create unique index withdrawal_address_label_once on withdrawal_address (user_id, lower(label));
