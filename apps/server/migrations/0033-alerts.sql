-- Alerts are of more than security now. `reference` names the cause: a repeated one tells nothing twice.
alter table alert add column reference text not null default gen_random_uuid()::text;
alter table alert add constraint alert_once unique (user_id, kind, reference);
alter table alert drop constraint alert_user_id_fkey;
create index alert_age on alert (created_at);

-- Where a kind goes, for users who chose something else than the default.
create table alert_choice (
  user_id uuid not null,
  kind text not null,
  channels text[] not null,
  primary key (user_id, kind)
);

-- One alert on one channel that leaves the product. `sent_at` is set in the transaction that writes the message to the outbox;
-- alerts that are due together go as one message.
create table alert_delivery (
  alert_id bigint not null references alert (id) on delete cascade,
  channel text not null check (channel in ('mail', 'push', 'telegram')),
  user_id uuid not null,
  due_at timestamptz not null,
  sent_at timestamptz,
  primary key (alert_id, channel)
);
create index alert_delivery_due on alert_delivery (due_at) where sent_at is null;
create index alert_delivery_of_user on alert_delivery (user_id, channel, sent_at desc);

-- Tells once when a price in USD (18 decimals) is at or beyond the target; the row goes when it has.
create table price_alert (
  id uuid primary key default gen_random_uuid(),
  user_id uuid not null,
  mint text not null,
  symbol text not null,
  direction text not null check (direction in ('above', 'below')),
  target_usd numeric(40, 0) not null check (target_usd > 0),
  created_at timestamptz not null default now(),
  constraint price_alert_once unique (user_id, mint, direction, target_usd)
);
create index price_alert_of_mint on price_alert (mint);
