-- Since when a device is known: those that were there first are not forgotten for newcomers.
alter table known_device add column first_login_at timestamptz not null default now();
-- No earlier login of theirs is on record.
update known_device set first_login_at = last_login_at;
