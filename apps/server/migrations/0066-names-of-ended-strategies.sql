-- A name under which somebody was followed stays its creator's after the end, so it is looked for among the ended ones, too.
create index strategy_name_ended on strategy (name_key) where status = 'ended';
