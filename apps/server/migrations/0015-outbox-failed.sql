-- What the outbox gave up on stays, apart from what is done, until an operator has it tried again.
alter table outbox add column failed_at timestamptz;
update outbox set failed_at = done_at, done_at = null where done_at is not null and failure is not null;
drop index outbox_due;
create index outbox_due on outbox (available_at, id) where done_at is null and failed_at is null;
create index outbox_failed on outbox (topic) where failed_at is not null;
