-- contract: programs from 0052 on
-- No program names an index: these take the place of two through which every look went past what waits for somebody else.
-- Each topic looks for its own rows every second, and those of another may be many: mails while their server is away.
create index outbox_due_of_topic on outbox (topic, available_at, id) where done_at is null and failed_at is null;
drop index outbox_due;
create index outbox_done on outbox (done_at) where done_at is not null;

-- Keys that callers chose are kept for ever; what is removed every few minutes must not be looked for among them.
create index idempotency_derived on idempotency (created_at) where key like 'auto:%';
create index idempotency_answered on idempotency (created_at) where reply is not null;
drop index idempotency_age;
