-- Wrong tries from elsewhere must not use up the tries of whoever asked for the code. `asked_by` is keyed with the
-- server's secret; codes of before live for minutes and have it unknown.
alter table email_code add column asked_by bytea, add column others_tries_left int not null default 5;
