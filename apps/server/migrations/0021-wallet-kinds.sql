-- A book belongs to a wallet: the personal one of its user, or that of a strategy, in which its creator and its followers have
-- theirs. Per wallet and asset the books sum to the chain.
alter table wallet add column kind text not null default 'personal' check (kind in ('personal', 'strategy'));
alter table wallet drop constraint wallet_user_id_key;
-- The user of a strategy's wallet is its creator.
create unique index wallet_one_personal on wallet (user_id) where kind = 'personal';

drop index book_one_personal;
alter table book alter column kind type text using kind::text;
drop type book_kind;
-- `unclaimed` holds what strangers send to a strategy's wallet. Its user is the creator, whose equity it is not.
alter table book add constraint book_kind_known check (kind in ('personal', 'strategy', 'follow', 'unclaimed'));
alter table book add column wallet_id uuid references wallet (id);
update book k set wallet_id = w.id from wallet w where w.user_id = k.user_id;
alter table book alter column wallet_id set not null;
create unique index book_one_personal on book (user_id) where kind = 'personal';
create unique index book_one_unclaimed on book (wallet_id) where kind = 'unclaimed';
create index book_of_wallet on book (wallet_id);

alter table token_account add column wallet_id uuid references wallet (id);
update token_account t set wallet_id = w.id from wallet w where w.user_id = t.user_id;
alter table token_account drop constraint token_account_pkey;
alter table token_account drop column user_id;
alter table token_account add primary key (wallet_id, mint);

alter table trade_order add column wallet_id uuid;
update trade_order o set wallet_id = k.wallet_id from book k where k.id = o.book_id;
alter table trade_order alter column wallet_id set not null;

alter table watched_address add column wallet_id uuid references wallet (id);
update watched_address a set wallet_id = w.id from wallet w where w.user_id = a.user_id;
alter table watched_address alter column wallet_id set not null;

alter table wallet_movement add column wallet_id uuid references wallet (id);
update wallet_movement m set wallet_id = w.id from wallet w where w.user_id = m.user_id;
alter table wallet_movement alter column wallet_id set not null;

alter table reconciliation_alarm add column wallet_id uuid references wallet (id);
update reconciliation_alarm a set wallet_id = w.id from wallet w where w.user_id = a.user_id;
alter table reconciliation_alarm alter column wallet_id set not null;
drop index reconciliation_alarm_open;
create unique index reconciliation_alarm_open on reconciliation_alarm (wallet_id, asset) where resolved_at is null;
