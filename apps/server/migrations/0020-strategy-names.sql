-- A name belongs to one strategy among all that run, and so does whatever looks like it. The key is the folded name; rows of
-- earlier versions get theirs from the server, which alone can fold.
alter table strategy add column name_key text;
drop index strategy_name_once;
create unique index strategy_name_once on strategy (name_key) where status <> 'ended';
