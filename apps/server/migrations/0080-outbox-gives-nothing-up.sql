-- contract: programs from 0052 on
-- What fails is tried until it is done, so rows with `failed_at` are due as well, after all others: what keeps failing keeps nothing new
-- waiting. Programs before this leave them alone.
create index outbox_due_of_topic_too on outbox (topic, (failed_at is not null), available_at, id) where done_at is null;
drop index outbox_due_of_topic;
alter index outbox_due_of_topic_too rename to outbox_due_of_topic;
comment on column outbox.failed_at is 'since when a row counts as failing again and again; null once it is done';

-- Messages to people that were given up are days or months old. They end, and are removed like what is done.
update outbox set done_at = now(), failed_at = null
where failed_at is not null and topic in ('mail', 'alert-push', 'alert-telegram');
