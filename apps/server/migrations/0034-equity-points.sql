-- What accounts were worth, for users whose equity moves: every ten minutes, thinned out with age. A moment at which a holding
-- could not be priced has no point. Profit is since the account began, without deposits and withdrawals.
create table equity_point (
  user_id uuid not null,
  at timestamptz not null,
  equity_lamports numeric(20, 0) not null,
  profit_lamports numeric(40, 0) not null,
  -- Tells whether anything has moved since.
  sol_lamports numeric(20, 0) not null,
  primary key (user_id, at)
);
create index equity_point_age on equity_point (at);
