-- Lists and search are answered from memory, so what only they read goes: with one index left on what a trade or a refresh
-- of the windows changes, most of those updates touch no index at all.
drop index token_search;
drop index token_symbol;
drop index token_name;
drop index token_newest;
alter table token drop column search_text;

drop index token_stats_volume_5m;
drop index token_stats_volume_1h;
drop index token_stats_volume_4h;
drop index token_stats_volume_24h;
drop index token_stats_change_5m;
drop index token_stats_change_1h;
drop index token_stats_change_4h;
drop index token_stats_change_24h;
drop index token_stats_holders;
alter table token_stats drop column holders_ranked;
