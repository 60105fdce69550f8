-- What a round's posting costs for each of its books, without another result: a number of eight bytes without a sign is read without
-- a division, which took longer than reading it twice.
create or replace function share_of(shares bytea, place bigint, number int) returns numeric language sql immutable parallel safe return
  case when substr(shares, (24 * (place - 1) + 8 * number + 1)::int, 8)::bigint < 0
    then substr(shares, (24 * (place - 1) + 8 * number + 1)::int, 8)::bigint + 18446744073709551616
    else substr(shares, (24 * (place - 1) + 8 * number + 1)::int, 8)::bigint::numeric end;
-- The places that are counted are sorted by themselves, and not with all that is known of their books.
alter function round_applied() set enable_presorted_aggregate = off;
