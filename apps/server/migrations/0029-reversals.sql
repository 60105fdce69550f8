-- Orders, transfers and closings are posted once they are confirmed. What was posted is kept, so that another outcome on the fork that
-- becomes final is noticed.
alter table signed_transaction add column posted_slot bigint, add column posted_failed boolean;

-- An entry whose cause the chain dropped or changed is taken back by another entry, never deleted.
alter table journal_entry drop constraint journal_entry_kind_known;
alter table journal_entry add constraint journal_entry_kind_known check (kind in ('deposit', 'withdrawal', 'external-out',
  'withdrawal-hold', 'withdrawal-release', 'order-hold', 'order-release', 'order-fill', 'order-failed', 'rent-return',
  'rent-return-failed', 'move-sol', 'move-tokens', 'move-rent', 'transfer-hold', 'transfer-release', 'commit', 'return',
  'transfer-failed', 'reversal'));

-- Fills that did not happen after all. Positions and round trips follow from those that stand.
create table fill_undone (
  reference text primary key references fill (reference),
  at timestamptz not null
);
create trigger fill_undone_insert_only before update or delete or truncate on fill_undone
  for each statement execute function journal_is_insert_only();
-- One that came instead of another takes its place in the order of the book's fills.
create view standing_fill as
  select f.*, coalesce((
      select min(u.id) from fill u join fill_undone d on d.reference = u.reference
      where u.book_id = f.book_id and u.mint = f.mint and u.order_id = f.order_id and u.id < f.id), f.id) as place
  from fill f where not exists (select 1 from fill_undone d where d.reference = f.reference);
